import type { Period } from './catalogue.ts'
import type { GatewayName, ProviderState } from './state.ts'
import type { Subscription } from './subscription.ts'

/** One attempt to have a subscription paid for. */
export interface Checkout {
  project_id: number
  platform_id: number
  id: number
  subscription_id: number
  gateway: GatewayName
  plan: string
  period: Period
  amount: number
  currency: string
  status: 'opening' | 'open' | 'paid' | 'expired'
  key: string
  session_id: string | null
  url: string | null
  created_by: number | null
  product: string
  /** The gateway's id of the project's customer, once it has paid there. */
  customer: string | null
}

interface Session {
  /** Null if the payment has no session, such as a bank transfer. */
  id: string | null
  url: string
  expiresAt: string
}

/** A payment provider. It is never called inside a transaction, and every call can be repeated. */
export interface Gateway {
  name: GatewayName
  /** Opens a session for the checkout, or returns the one that was opened for it before. */
  open(checkout: Checkout, title: string): Promise<Session>
  /** True if the open checkout can no longer be paid; false if it has been paid. */
  expire(checkout: Checkout): Promise<boolean>
  /** Cancels a paid subscription at the end of its period, or resumes it. */
  setCancellation(subscription: Subscription, isWanted: boolean): Promise<ProviderState | undefined>
}

/** The provider is not set up or failed, and the request needs it; the code is for the caller. */
export class ProviderOutage extends Error {
  readonly code: 'payment_provider_failed' | 'payment_provider_missing'
  constructor(code: ProviderOutage['code'], options?: ErrorOptions) {
    super(code, options)
    this.code = code
  }
}

/** A call to the provider failed. */
export class GatewayFailure extends Error {
  /** True if the call may have succeeded all the same, as after a time-out, so it must be repeated; false for a final refusal. */
  readonly isUncertain: boolean
  constructor(cause: unknown, isUncertain: boolean) {
    super('the payment provider failed', { cause })
    this.isUncertain = isUncertain
  }
}
