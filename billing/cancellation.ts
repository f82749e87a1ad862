import type { Database, Queries } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { through } from './checkout.ts'
import { askAndFollow, Overtaken } from './follow.ts'
import { readSubscription, type ShownSubscription } from './shown.ts'
import { isPaid, isTrial } from './state.ts'
import { findSubscription, type Refusal, type Subscription } from './subscription.ts'

/** Finds a subscription that can be canceled or resumed, or says why it cannot; undefined if the project has none with this id. */
export async function findPaid(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<Subscription | Refusal<'not_paid_for' | 'subscription_ended'> | undefined> {
  const found = await findSubscription(queries, projectId, id)
  if (!found || isPaid(found.status)) return found
  return { refusal: isTrial(found.status) ? 'not_paid_for' : 'subscription_ended' }
}

/** Cancels a paid subscription at the end of its period, or resumes it. */
export async function setCancellation(
  billing: Billing,
  db: Database,
  { projectId, id, actorId, isWanted }: { projectId: number; id: number; actorId: number; isWanted: boolean },
): Promise<ShownSubscription | Refusal<'not_paid_for' | 'subscription_ended' | 'subscription_changing'>> {
  try {
    await askAndFollow(db, { projectId, subscriptionId: id, eventId: null, actorId }, (subscription) =>
      through(billing, subscription, (gateway) => gateway.setCancellation(subscription, isWanted)),
    )
  } catch (error) {
    if (!(error instanceof Overtaken)) throw error
    return { refusal: 'subscription_changing' }
  }
  const paid = await findPaid(db, projectId, id)
  if (paid && 'refusal' in paid) return paid
  return (await readSubscription(db, projectId, id)) as ShownSubscription
}
