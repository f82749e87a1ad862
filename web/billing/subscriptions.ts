import { platforms } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import { counted, t } from '../words/words.ts'
import type { Subscription } from './types.ts'

const dayMilliseconds = 86_400_000

/** The project's subscriptions; the sidebar and the page share one read. */
export const useSubscriptions = () => useRead(`${platforms}/subscriptions/list`, { limit: 200 })

/** The current subscription to a product: the one that has not ended, or else the newest. */
export function currentOf(subscriptions: readonly Subscription[], product: string): Subscription | undefined {
  const all = subscriptions.filter((one) => one.product === product)
  return all.find(({ status }) => status !== 'canceled') ?? all[0]
}

/** Whole days, including the current one. */
export const daysUntil = (iso: string, from = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(iso) - from) / dayMilliseconds))

/** A short warning for everyone in the project; undefined if all is well. */
export function subscriptionStatus(subscriptions: readonly Subscription[]): string | undefined {
  const products = new Set(subscriptions.map(({ product }) => product))
  const current = [...products].map((product) => currentOf(subscriptions, product))
  if (current.some((one) => one?.status === 'past_due')) return t('Payment overdue')
  const due = current.flatMap((one) => one?.order_expires_at ?? [])
  if (due.length > 0)
    return counted(daysUntil(due.sort()[0] as string), {
      one: 'Payment: {count} day left',
      other: 'Payment: {count} days left',
    })
  if (current.some((one) => one?.status === 'expired')) return t('Trial ended')
  const ends = current.flatMap((one) => (one?.status === 'trialing' ? [one.trial_ends_at ?? ''] : []))
  if (ends.length === 0) return undefined
  const left = daysUntil(ends.sort()[0] as string)
  return left === 0
    ? t('Trial ended')
    : counted(left, { one: 'Trial: {count} day left', other: 'Trial: {count} days left' })
}
