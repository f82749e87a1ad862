import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import type { Checkout, Gateway } from './gateway.ts'
import { expireOrder, type Order, orderColumns, recordOrder } from './order.ts'
import { providerStateOf } from './state.ts'

/** What applies to every new order. */
export interface OrderTerms {
  /** How long an order can be paid. */
  days: number
  pageUrl(key: string): string
}

const dayMilliseconds = 86_400_000

/** A gateway without a provider: the customer transfers money with a reference, and a superadmin books it (booking.ts). */
export function invoiceGateway(db: Database, { days, pageUrl }: OrderTerms): Gateway {
  return {
    name: 'invoice',
    async open({ project_id: projectId, id, key, created_by: actorId }) {
      const url = pageUrl(key)
      const expiresAt = new Date(Date.now() + days * dayMilliseconds).toISOString()
      // Opened here, so that the order and its event are written together.
      await change(db, projectId, async (queries) => {
        const [order] = await queries.run<Order>(
          `with c as (
             update checkouts c set status = 'open', url = $3, expires_at = $4
             where c.project_id = $1 and c.id = $2 and c.status = 'opening' returning *
           ) select ${orderColumns} from c`,
          [projectId, id, url, expiresAt],
        )
        if (order) await recordOrder(queries, 'order.placed', order, actorId)
      })
      return { id: null, url, expiresAt }
    },
    expire: ({ project_id: projectId, id, subscription_id: subscriptionId }) =>
      change(db, projectId, async (queries) => {
        await expireOrder(queries, subscriptionId, 'open')
        const [row] = await queries.sql<{ status: Checkout['status'] }[]>`
          select status from checkouts where project_id = ${projectId} and id = ${id}`
        return row?.status !== 'paid'
      }),
    async setCancellation(subscription, isWanted) {
      const { project_id: projectId, id } = subscription
      // Nobody should pay for a period that will not come.
      if (isWanted) await change(db, projectId, (queries) => expireOrder(queries, id, 'open'))
      return { ...providerStateOf(subscription), cancelsAtPeriodEnd: isWanted }
    },
  }
}
