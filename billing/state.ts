// The states of a subscription and the allowed changes between them, without a database or a provider.
import type { Period } from './catalogue.ts'

export const statuses = ['trialing', 'active', 'past_due', 'canceled', 'expired'] as const
type Status = (typeof statuses)[number]

/**
 * A payment or an extension revives an expired trial. A paid subscription ends at the end of its period after a cancellation, or
 * when payment fails for good. A canceled subscription stays as history, and the project can start a new one.
 */
const moves: Record<Status, readonly Status[]> = {
  trialing: ['active', 'expired'],
  expired: ['active', 'trialing'],
  active: ['past_due', 'canceled'],
  past_due: ['active', 'canceled'],
  canceled: [],
}

export const mayBecome = (from: Status, to: Status) => from === to || moves[from].includes(to)

export const isTrial = (status: Status): status is 'trialing' | 'expired' =>
  status === 'trialing' || status === 'expired'
export const isPaid = (status: Status) => status === 'active' || status === 'past_due'

/** The fields of a subscription that change. */
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

export type GatewayName = 'stripe' | 'sandbox' | 'invoice'

/** A subscription's state as the provider reports it. */
export interface ProviderState {
  gateway: GatewayName
  /** The provider's id of the subscription. */
  reference: string
  customer: string | null
  status: 'active' | 'past_due' | 'canceled'
  periodEndsAt: string
  cancelsAtPeriodEnd: boolean
  /** What was bought. */
  plan: string
  period: Period
}

/** The state after a provider's report, or why the report is ignored. */
export function following(before: State, state: ProviderState): State | 'paid twice' | 'too late' {
  const isFirstReport = before.subscription_reference === null
  // The provider has a second subscription although one is paid already, so someone has to refund it.
  if (!isFirstReport && before.subscription_reference !== state.reference)
    return state.status === 'canceled' ? 'too late' : 'paid twice'
  // An unpaid trial cannot end or fail, and a late report cannot revive an ended subscription.
  if ((isFirstReport && state.status !== 'active') || !mayBecome(before.status, state.status))
    return 'too late'
  return {
    status: state.status,
    plan: state.plan,
    period: state.period,
    current_period_ends_at: state.periodEndsAt,
    cancels_at_period_end: state.cancelsAtPeriodEnd,
    gateway: state.gateway,
    customer_reference: state.customer,
    subscription_reference: state.reference,
  }
}

/** The state of a paid subscription in the form of a provider's report, for gateways whose only record is ours. */
export const providerStateOf = (paid: State): ProviderState => ({
  gateway: paid.gateway as GatewayName,
  reference: paid.subscription_reference as string,
  customer: paid.customer_reference,
  status: paid.status as ProviderState['status'],
  periodEndsAt: paid.current_period_ends_at as string,
  cancelsAtPeriodEnd: paid.cancels_at_period_end,
  plan: paid.plan as string,
  period: paid.period as Period,
})

/** Adds periods to a date, ending on the last day of a shorter month. */
export function afterPeriods(from: Date, period: Period, count: number): string {
  const months = period === 'year' ? 12 * count : count
  const to = new Date(from)
  to.setUTCDate(1)
  to.setUTCMonth(to.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return to.toISOString()
}
