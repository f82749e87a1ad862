import type { Database, Queries } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { following, type ProviderState } from './state.ts'
import {
  findSubscription,
  type Subscription,
  type SubscriptionEvent,
  writeSubscription,
} from './subscription.ts'

export type Outcome = 'followed' | 'seen before' | 'paid twice' | 'too late' | 'unknown'

/** What the provider reported a change of, and where that report came from. */
interface Notice {
  projectId: number
  subscriptionId: number
  /** The id of the provider's message, which is processed once. */
  eventId: string | null
  actorId: number | null
  /** The checkout that the provider names. */
  checkoutKey?: string
}

const kinds = {
  active: 'subscription.activated',
  past_due: 'subscription.payment_failed',
  canceled: 'subscription.canceled',
} as const satisfies Record<ProviderState['status'], SubscriptionEvent>

/** Writes the provider's state of a subscription, in the caller's transaction. */
export async function follow(
  queries: Change,
  before: Subscription,
  state: ProviderState,
  notice: Notice,
): Promise<Outcome> {
  if (notice.eventId !== null && !(await take(queries, notice.eventId))) return 'seen before'
  const after = following(before, state)
  if (typeof after === 'string') return after
  const kind = after.status === before.status ? 'subscription.updated' : kinds[state.status]
  await writeSubscription(queries, before, after, kind, notice.actorId)
  if (notice.checkoutKey !== undefined)
    await queries.sql`
      update checkouts set status = 'paid', paid_at = now()
      where project_id = ${notice.projectId} and key = ${notice.checkoutKey} and status <> 'paid'`
  return 'followed'
}

/** Records a provider's message; false if it has been processed before. */
export async function take({ sql }: Queries, eventId: string): Promise<boolean> {
  const taken = await sql`insert into payment_events (id) values (${eventId}) on conflict do nothing`
  return taken.count > 0
}

/** Thrown when other changes came before the provider's answer could be written, on every attempt. */
export class Overtaken extends Error {}

const maxAttempts = 5

/**
 * Reads the subscription's state from the provider and writes it. Messages may come late, twice and in any order, so each one
 * only triggers a read; if the subscription changed during the read, the provider is asked again.
 */
export async function askAndFollow(
  db: Database,
  notice: Notice,
  ask: (subscription: Subscription) => Promise<ProviderState | undefined>,
): Promise<Outcome> {
  const { projectId, subscriptionId } = notice
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const known = await findSubscription(db, projectId, subscriptionId)
    const state = known && (await ask(known))
    if (!state) return 'unknown'
    const outcome = await change(db, projectId, async (queries) => {
      const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
      if (!before) return 'unknown'
      return before.version === known.version ? follow(queries, before, state, notice) : undefined
    })
    if (outcome) return outcome
  }
  throw new Overtaken(`subscription ${subscriptionId} changed during each of ${maxAttempts} reads`)
}
