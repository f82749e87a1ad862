import type { Fail } from '#contract/operation.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { through } from './checkout.ts'
import { askAndFollow, Overtaken } from './follow.ts'
import { isPaid, isTrial } from './state.ts'
import { findSubscription, type Subscription } from './subscription.ts'

/** A subscription that can be canceled and resumed, if the project has it. */
export async function findPaid(
  queries: Queries,
  projectId: number,
  id: number,
  fail: Fail<400>,
): Promise<Subscription | undefined> {
  const found = await findSubscription(queries, projectId, id)
  if (!found || isPaid(found.status)) return found
  throw fail(
    400,
    isTrial(found.status)
      ? 'This subscription is not paid for; a trial ends by itself.'
      : 'This subscription has ended.',
  )
}

/** Lets a paid subscription end with its period, or go on after all. */
export async function setCancellation(
  billing: Billing,
  db: Database,
  { projectId, id, actorId, isWanted }: { projectId: number; id: number; actorId: number; isWanted: boolean },
  fail: Fail<400>,
): Promise<void> {
  await askAndFollow(db, { projectId, subscriptionId: id, eventId: null, actorId }, (subscription) =>
    through(billing, subscription, (gateway) => gateway.setCancellation(subscription, isWanted)),
  ).catch((error) => {
    throw error instanceof Overtaken
      ? fail(400, 'Others are changing this subscription at this moment; try again.')
      : error
  })
  await findPaid(db, projectId, id, fail)
}
