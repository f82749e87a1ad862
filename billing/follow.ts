import type { Database, Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { following, type Told } from './state.ts'
import {
  findSubscription,
  type Subscription,
  type SubscriptionEvent,
  writeSubscription,
} from './subscription.ts'

export type Outcome = 'followed' | 'seen before' | 'paid twice' | 'too late' | 'unknown'

interface Word {
  projectId: number
  subscriptionId: number
  /** The provider's message, which is carried out once. */
  eventId: string | null
  actorId: number | null
  /** The checkout that the provider names. */
  checkoutKey?: string
}

const kinds = {
  active: 'subscription.activated',
  past_due: 'subscription.payment_failed',
  canceled: 'subscription.canceled',
} as const satisfies Record<Told['status'], SubscriptionEvent>

/** Brings a subscription to where its provider says it stands, in the caller's transaction. */
export async function follow(
  queries: Change,
  before: Subscription,
  told: Told,
  word: Word,
): Promise<Outcome> {
  if (word.eventId !== null && !(await take(queries, word.eventId))) return 'seen before'
  const after = following(before, told)
  if (typeof after === 'string') return after
  const kind = after.status === before.status ? 'subscription.updated' : kinds[told.status]
  await writeSubscription(queries, before, after, kind, word.actorId)
  if (word.checkoutKey !== undefined)
    await queries.sql`
      update checkouts set status = 'paid'
      where project_id = ${word.projectId} and key = ${word.checkoutKey} and status <> 'paid'`
  return 'followed'
}

/** Notes a provider's message down; false where it was carried out before. */
export async function take({ sql }: Queries, eventId: string): Promise<boolean> {
  const taken = await sql`insert into payment_events (id) values (${eventId}) on conflict do nothing`
  return taken.count > 0
}

/** Others changed the subscription each time before the provider's answer could be written. */
export class Overtaken extends Error {}

const mostAttempts = 5

/**
 * Asks the provider how things stand and follows. Messages may come late, twice and in any order, so they only say that it is
 * time to ask; and where another change came between the question and its answer, it is asked again.
 */
export async function askAndFollow(
  db: Database,
  word: Word,
  ask: (subscription: Subscription) => Promise<Told | undefined>,
): Promise<Outcome> {
  const { projectId, subscriptionId } = word
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const known = await findSubscription(db, projectId, subscriptionId)
    const told = known && (await ask(known))
    if (!told) return 'unknown'
    const outcome = await change(db, projectId, async (queries) => {
      const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
      if (!before) return 'unknown'
      return before.version === known.version ? follow(queries, before, told, word) : undefined
    })
    if (outcome) return outcome
  }
  throw new Overtaken(`subscription ${subscriptionId} changed during each of ${mostAttempts} questions`)
}
