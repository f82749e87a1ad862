import { platforms } from '../data/client.ts'
import { useRead } from '../data/read.ts'
import type { Subscription } from './types.ts'

const dayMilliseconds = 86_400_000

/** The project's subscriptions; the rail and the page read them once together. */
export const useSubscriptions = () => useRead(`${platforms}/subscriptions/list`, { limit: 200 })

/** The one to a product that counts: the one that has not ended, else the newest. */
export function currentOf(subscriptions: readonly Subscription[], product: string): Subscription | undefined {
  const all = subscriptions.filter((one) => one.product === product)
  return all.find(({ status }) => status !== 'canceled') ?? all[0]
}

/** Whole days, the one that has begun included. */
export const daysUntil = (iso: string, from = Date.now()): number =>
  Math.max(0, Math.ceil((Date.parse(iso) - from) / dayMilliseconds))

export const days = (count: number): string => (count === 1 ? '1 day' : `${count} days`)

/** What everybody in the project should know, in a few words; undefined where all is well. */
export function subscriptionStatus(subscriptions: readonly Subscription[]): string | undefined {
  const products = new Set(subscriptions.map(({ product }) => product))
  const current = [...products].map((product) => currentOf(subscriptions, product))
  if (current.some((one) => one?.status === 'past_due')) return 'Payment overdue'
  if (current.some((one) => one?.status === 'expired')) return 'Trial ended'
  const ends = current.flatMap((one) => (one?.status === 'trialing' ? [one.trial_ends_at ?? ''] : []))
  if (ends.length === 0) return undefined
  const left = daysUntil(ends.sort()[0] as string)
  return left === 0 ? 'Trial ended' : `Trial: ${days(left)} left`
}
