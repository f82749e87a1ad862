// Orders inside one project: checkouts that are paid by bank transfer. What people are shown of them is in shown-orders.ts.
import type { Payload } from '#events/catalogue.ts'
import type { Change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Period } from './catalogue.ts'
import { referenceOf } from './reference.ts'

export interface Order {
  id: number
  subscription_id: number
  product: string
  plan: string
  period: Period
  amount: number
  currency: string
  expires_at: string
}

/** `c` is the order, `$1` the id of its project. */
export const orderColumns = `c.id, c.subscription_id,
  (select s.product from subscriptions s where s.project_id = $1 and s.id = c.subscription_id) as product,
  c.plan, c.period, c.amount, c.currency, wire_time(c.expires_at) as expires_at`

export async function recordOrder(
  change: Change,
  kind: 'order.placed' | 'order.reminded' | 'order.paid' | 'order.expired',
  { id, ...order }: Order,
  actorId: number | null,
): Promise<void> {
  const data: Payload<typeof kind> = { ...order, reference: referenceOf(id) }
  await recordEvent(change, { boardId: null, actorId, kind, data })
}

/** Expires the subscription's open order, or only if it is overdue. A trial stays as it is. */
export async function expireOrder(
  change: Change,
  subscriptionId: number,
  which: 'open' | 'overdue',
): Promise<boolean> {
  const [order] = await change.run<Order>(
    `with c as (
       update checkouts c set status = 'expired'
       where c.project_id = $1 and c.subscription_id = $2 and c.gateway = 'invoice' and c.status = 'open'
         and ($3 = 'open' or c.expires_at <= now()) returning *
     ) select ${orderColumns} from c`,
    [change.projectId, subscriptionId, which],
  )
  if (order) await recordOrder(change, 'order.expired', order, null)
  return order !== undefined
}
