import type { Fail } from '#contract/operation.ts'
import type { Database } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { through } from './checkout.ts'
import { askAndFollow, Overtaken } from './follow.ts'
import { isPaid, isTrial } from './state.ts'
import { findSubscription } from './subscription.ts'

/** Lets a paid subscription end with its period, or go on after all; false where the project has no such subscription. */
export async function setCancellation(
  billing: Billing,
  db: Database,
  { projectId, id, actorId, isWanted }: { projectId: number; id: number; actorId: number; isWanted: boolean },
  fail: Fail<400>,
): Promise<boolean> {
  const known = await findSubscription(db, projectId, id)
  if (!known) return false
  if (isTrial(known.status)) throw fail(400, 'This subscription is not paid for; a trial ends by itself.')
  if (!isPaid(known.status)) throw fail(400, hasEnded)
  await askAndFollow(db, { projectId, subscriptionId: id, eventId: null, actorId }, (subscription) =>
    through(billing, subscription, (gateway) => gateway.setCancellation(subscription, isWanted)),
  ).catch((error) => {
    throw error instanceof Overtaken
      ? fail(400, 'Others are changing this subscription at this moment; try again.')
      : error
  })
  if (!isPaid((await findSubscription(db, projectId, id))?.status ?? 'canceled')) throw fail(400, hasEnded)
  return true
}

const hasEnded = 'This subscription has ended.'
