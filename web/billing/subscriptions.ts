import { platforms } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { counted, t } from '../words/words.ts'
import type { Subscription } from './types.ts'

const dayMilliseconds = 86_400_000

/** The project's subscriptions; the sidebar and the page share one read. */
export const useSubscriptions = () => useRead(`${platforms}/subscriptions/list`, { limit: 200 })

/** True if a subscription has an unpaid order. */
export const useHasOrder = (): boolean =>
  useSubscriptions().data?.subscriptions.some((one) => one.order_expires_at !== null) ?? false

/** The current subscription to a product: the one that has not ended, or else the newest. */
export function currentOf(subscriptions: readonly Subscription[], product: string): Subscription | undefined {
  const all = subscriptions.filter((one) => one.product === product)
  return all.find(({ status }) => status !== 'canceled') ?? all[0]
}

/** Whole days, including the current one. */
export const daysUntil = (iso: string, from = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(iso) - from) / dayMilliseconds))

/** Short warnings for everyone in the project, about payments and about trials; none if all is well. */
export function subscriptionWarnings(subscriptions: readonly Subscription[]): string[] {
  const products = new Set(subscriptions.map(({ product }) => product))
  const current = [...products].flatMap((product) => currentOf(subscriptions, product) ?? [])
  return [paymentWarning(current), trialWarning(current)].filter((warning) => warning !== undefined)
}

function paymentWarning(current: readonly Subscription[]): string | undefined {
  if (current.some(({ status }) => status === 'past_due')) return t('Payment overdue')
  const [due] = current.flatMap(({ order_expires_at: at }) => at ?? []).sort()
  if (due === undefined) return undefined
  return counted(daysUntil(due), { one: 'Payment: {count} day left', other: 'Payment: {count} days left' })
}

function trialWarning(current: readonly Subscription[]): string | undefined {
  if (current.some(({ status }) => status === 'expired')) return t('Trial ended')
  const [end] = current
    .flatMap(({ status, trial_ends_at: at }) => (status === 'trialing' ? [at ?? ''] : []))
    .sort()
  if (end === undefined) return undefined
  const left = daysUntil(end)
  return left === 0
    ? t('Trial ended')
    : counted(left, { one: 'Trial: {count} day left', other: 'Trial: {count} days left' })
}
