import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { follow } from './follow.ts'
import { type Order, orderColumns, recordOrder } from './order.ts'
import { orderIdOf, referenceOf } from './reference.ts'
import { findProjectOfOrder, readOrder, type ShownOrder } from './shown-orders.ts'
import { afterPeriods, isPaid } from './state.ts'
import { findSubscription, type Refusal, type Subscription } from './subscription.ts'

interface Payment {
  reference: string
  /** In the smallest unit of the order's currency. */
  amount: number
  /** Only orders of this platform can be booked; null for all. */
  platformId: number | null
  actorId: number
}

type NotBooked =
  | 'mistyped reference'
  | 'no order'
  | 'other amount'
  | Refusal<'order_expired' | 'already_paid'>

/** Books the payment of an order, which starts or renews its subscription. Booking it again changes nothing. */
export async function bookPayment(db: Database, payment: Payment): Promise<ShownOrder | NotBooked> {
  const id = orderIdOf(payment.reference)
  if (id === undefined) return 'mistyped reference'
  const projectId = await findProjectOfOrder(db, id, payment.platformId)
  if (projectId === undefined) return 'no order'
  return change(db, projectId, async (queries) => {
    const [order] = await queries.run<Order & { status: ShownOrder['status'] }>(
      `select ${orderColumns},
         case when c.status = 'open' and c.expires_at <= now() then 'expired' else c.status::text end as status
       from checkouts c where c.project_id = $1 and c.id = $2 for update`,
      [projectId, id],
    )
    // Expired orders are deleted in the end.
    if (!order) return 'no order'
    const { status, ...booked } = order
    if (booked.amount !== payment.amount) return 'other amount'
    if (status === 'expired') return { refusal: 'order_expired' }
    if (status === 'open') {
      const subscriptionId = booked.subscription_id
      const before = await findSubscription(queries, projectId, subscriptionId, 'for update')
      const notice = { projectId, subscriptionId, eventId: null, actorId: payment.actorId }
      const outcome = before && (await follow(queries, before, paidState(booked, before), notice))
      if (outcome !== 'followed') return { refusal: 'already_paid' }
      await queries.sql`update checkouts set status = 'paid', paid_at = now() where project_id = ${projectId} and id = ${id}`
      await recordOrder(queries, 'order.paid', booked, payment.actorId)
    }
    return readOrder(queries, projectId, id)
  })
}

/** A renewal continues the period that it is for; a first payment starts one. */
function paidState({ id, plan, period }: Order, before: Subscription) {
  const isRenewal = isPaid(before.status) && before.gateway === 'invoice'
  const from = isRenewal ? new Date(before.current_period_ends_at as string) : new Date()
  return {
    gateway: 'invoice',
    reference: isRenewal ? (before.subscription_reference as string) : referenceOf(id),
    customer: null,
    status: 'active',
    periodEndsAt: afterPeriods(from, period, 1),
    cancelsAtPeriodEnd: false,
    plan,
    period,
  } as const
}
