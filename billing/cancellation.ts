import type { Database, Queries } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { through } from './checkout.ts'
import { askAndFollow, Overtaken } from './follow.ts'
import { isPaid, isTrial } from './state.ts'
import { findSubscription, type Refusal, type Subscription } from './subscription.ts'

/** A subscription that can be canceled and resumed, or why it cannot; undefined where the project has none with this id. */
export async function findPaid(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<Subscription | Refusal | undefined> {
  const found = await findSubscription(queries, projectId, id)
  if (!found || isPaid(found.status)) return found
  return {
    refusal: isTrial(found.status)
      ? 'This subscription is not paid for; a trial ends by itself.'
      : 'This subscription has ended.',
  }
}

/** Lets a paid subscription end with its period, or go on after all; the subscription after that, as findPaid answers it. */
export async function setCancellation(
  billing: Billing,
  db: Database,
  { projectId, id, actorId, isWanted }: { projectId: number; id: number; actorId: number; isWanted: boolean },
): Promise<Subscription | Refusal | undefined> {
  try {
    await askAndFollow(db, { projectId, subscriptionId: id, eventId: null, actorId }, (subscription) =>
      through(billing, subscription, (gateway) => gateway.setCancellation(subscription, isWanted)),
    )
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    return { refusal: 'Others are changing this subscription at this moment; try again.' }
  }
  return findPaid(db, projectId, id)
}
