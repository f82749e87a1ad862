import type { Database } from '#database/connect.ts'
import type { Billing } from './billing.ts'
import { setCancellation } from './cancellation.ts'
import { giveUpCheckout } from './checkout.ts'

/**
 * Before a project is deleted: nobody is charged for it again. Paid subscriptions end with their period, and open checkouts and orders
 * can no longer be paid. Every step can be repeated. Only a payment that is under way at this moment cannot be stopped.
 */
export async function stopPayments(
  billing: Billing,
  db: Database,
  { projectId, actorId }: { projectId: number; actorId: number },
): Promise<'stopped' | 'under way'> {
  const open = await db.sql<{ id: number }[]>`
    select id from checkouts where project_id = ${projectId} and status in ('opening', 'open') order by id`
  for (const { id } of open) if (!(await giveUpCheckout(billing, db, projectId, id))) return 'under way'
  const paid = await db.sql<{ id: number }[]>`
    select id from subscriptions
    where project_id = ${projectId} and status in ('active', 'past_due') and not cancels_at_period_end order by id`
  for (const { id } of paid) {
    const canceled = await setCancellation(billing, db, { projectId, id, actorId, isWanted: true })
    if ('refusal' in canceled && canceled.refusal === 'subscription_changing') return 'under way'
  }
  return 'stopped'
}
