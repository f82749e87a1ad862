import type { Services } from '#api/operation.ts'
import { findPaid, setCancellation } from '#billing/cancellation.ts'
import type { Exchange, Fail } from '#contract/operation.ts'
import type { Caller } from '#identity/caller.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readSubscription, type Subscription } from './subscription.ts'

interface Call extends Services {
  input: { id: number }
  caller: Caller
  http: Exchange
  fail: Fail<400 | 403 | 404>
}

/** Where the subscription is whose end is decided on. */
export function beginCancellation({ input: { id }, caller, db, fail }: Call): Promise<{ projectId: number }> {
  const question = { db, caller, permission: 'upgrade', kind: 'subscriptions', id } as const
  return inProjectOf(
    question,
    fail,
    async ({ projectId }) => (await findPaid(db, projectId, id, fail)) && { projectId },
  )
}

/** Has the provider end the subscription with its period, or let it go on. */
export async function finishCancellation(
  {
    input: { id },
    begun: { projectId },
    caller,
    db,
    billing,
    live,
    http,
    fail,
  }: Call & { begun: { projectId: number } },
  isWanted: boolean,
): Promise<{ subscription: Subscription }> {
  await setCancellation(billing, db, { projectId, id, actorId: caller.id, isWanted }, fail)
  live.announce(http, projectId)
  return { subscription: (await readSubscription(db, projectId, id)) as Subscription }
}
