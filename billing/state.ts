// What a subscription may become: the one place that says it, without a database or a provider.
import type { Period } from './catalogue.ts'

export const statuses = ['trialing', 'active', 'past_due', 'canceled', 'expired'] as const
type Status = (typeof statuses)[number]

/**
 * An expired trial comes back by payment, or because it is extended. What is paid for ends by cancelling, at the end of its
 * period, or because payment failed for good. What has ended stays as history; after it there is a new subscription.
 */
const moves: Record<Status, readonly Status[]> = {
  trialing: ['active', 'expired'],
  expired: ['active', 'trialing'],
  active: ['past_due', 'canceled'],
  past_due: ['active', 'canceled'],
  canceled: [],
}

export const mayBecome = (from: Status, to: Status) => from === to || moves[from].includes(to)

export const isTrial = (status: Status) => status === 'trialing' || status === 'expired'
export const isPaid = (status: Status) => status === 'active' || status === 'past_due'

/** What changes about a subscription. */
export interface State {
  status: Status
  plan: string | null
  period: Period | null
  current_period_ends_at: string | null
  cancels_at_period_end: boolean
  gateway: GatewayName | null
  customer_reference: string | null
  subscription_reference: string | null
}

export type GatewayName = 'stripe' | 'sandbox'

/** How the provider says that a subscription of its own stands. */
export interface Told {
  gateway: GatewayName
  /** What the provider calls it. */
  reference: string
  customer: string | null
  status: 'active' | 'past_due' | 'canceled'
  periodEndsAt: string
  cancelsAtPeriodEnd: boolean
  /** What was bought. */
  plan: string
  period: Period
}

/** The state that follows from the provider's word, or why it is not followed. */
export function following(before: State, told: Told): State | 'paid twice' | 'too late' {
  const isFirstWord = before.subscription_reference === null
  // Another subscription at the provider, while one is paid for already: somebody has to give money back.
  if (!isFirstWord && before.subscription_reference !== told.reference)
    return told.status === 'canceled' ? 'too late' : 'paid twice'
  // What was never paid for cannot end or fail; an earlier word that comes late cannot bring back what has ended.
  if ((isFirstWord && told.status !== 'active') || !mayBecome(before.status, told.status)) return 'too late'
  return {
    status: told.status,
    plan: told.plan,
    period: told.period,
    current_period_ends_at: told.periodEndsAt,
    cancels_at_period_end: told.cancelsAtPeriodEnd,
    gateway: told.gateway,
    customer_reference: told.customer,
    subscription_reference: told.reference,
  }
}
