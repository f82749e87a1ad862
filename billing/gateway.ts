import type { Period } from './catalogue.ts'
import type { GatewayName, Told } from './state.ts'
import type { Subscription } from './subscription.ts'

/** One attempt to have a subscription paid for. */
export interface Checkout {
  project_id: number
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
  product: string
  /** What the gateway calls the project's customer, once it has paid for something there. */
  customer: string | null
}

interface Session {
  id: string
  url: string
  expiresAt: string
}

/** Where people pay. It is never called inside a transaction, and each call may be made twice. */
export interface Gateway {
  name: GatewayName
  /** Opens a session for the checkout, or gives the one again that was opened for it. */
  open(checkout: Checkout, title: string): Promise<Session>
  /** After true the session can no longer be paid; false where it has been. */
  expire(sessionId: string): Promise<boolean>
  /** Lets a paid subscription end with its period, or go on after all. */
  setCancellation(subscription: Subscription, isWanted: boolean): Promise<Told | undefined>
}

/** The provider is not there or failed, and the request cannot be done without it; the message is for the caller. */
export class ProviderOutage extends Error {}

/** The provider did not do what it was asked. */
export class GatewayFailure extends Error {
  /** It may have done it all the same, as after a time-out, so the same must be asked again; else it has refused for good. */
  readonly isUncertain: boolean
  constructor(cause: unknown, isUncertain: boolean) {
    super('the payment provider failed', { cause })
    this.isUncertain = isUncertain
  }
}
