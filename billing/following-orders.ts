// The hourly work on orders: expiry, the end of paid periods, renewals and reminders. Every step can be repeated.
import { randomUUID } from 'node:crypto'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database } from '#database/connect.ts'
import { type Change, change } from '#events/change.ts'
import { follow } from './follow.ts'
import type { OrderTerms } from './invoice.ts'
import { expireOrder, type Order, orderColumns, recordOrder } from './order.ts'
import { isPaid, type ProviderState, providerStateOf } from './state.ts'
import { findSubscription, type Subscription } from './subscription.ts'

export async function followOrders(db: Database, terms: OrderTerms): Promise<void> {
  const failures = [
    ...(await expireOverdue(db)),
    ...(await endPeriods(db)),
    ...(await placeRenewals(db, terms)),
    ...(await remind(db)),
  ]
  // The job counts as failed and is tried again, after everything else is done.
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} times an order failed, first: ${failures[0]}`)
}

interface Due {
  project_id: number
  subscription_id: number
}

/** Expires orders whose time is over. A trial stays what it was; a subscription whose renewal was not paid ends. */
async function expireOverdue(db: Database): Promise<unknown[]> {
  const due = await inAllProjects(
    db,
    (ids) => db.sql<Due[]>`
      select project_id, subscription_id from checkouts
      where project_id = any(${ids}::bigint[]) and gateway = 'invoice' and status = 'open' and expires_at <= now()`,
  )
  return each(db, due, async (queries, subscription) => {
    if ((await expireOrder(queries, subscription.id, 'overdue')) && isPaidByInvoice(subscription))
      await become(queries, subscription, 'canceled')
  })
}

/** At the end of its period a canceled subscription ends, and the payment of any other is overdue. */
async function endPeriods(db: Database): Promise<unknown[]> {
  const due = await inAllProjects(
    db,
    (ids) => db.sql<Due[]>`
      select project_id, id as subscription_id from subscriptions
      where project_id = any(${ids}::bigint[]) and gateway = 'invoice' and status in ('active', 'past_due')
        and current_period_ends_at <= now() and (status = 'active' or cancels_at_period_end)`,
  )
  return each(db, due, async (queries, subscription) => {
    if (!isPaidByInvoice(subscription) || daysLeft(subscription) > 0) return
    await become(queries, subscription, subscription.cancels_at_period_end ? 'canceled' : 'past_due')
  })
}

/** Orders the next period `days` before the current one ends, at the same price; payable until `days` after. */
async function placeRenewals(db: Database, { days, pageUrl }: OrderTerms): Promise<unknown[]> {
  const due = await inAllProjects(
    db,
    (ids) => db.sql<Due[]>`
      select s.project_id, s.id as subscription_id from subscriptions s
      where s.project_id = any(${ids}::bigint[]) and s.gateway = 'invoice' and s.status in ('active', 'past_due')
        and not s.cancels_at_period_end and s.current_period_ends_at <= now() + make_interval(days => ${days})
        and not exists (
          select from checkouts c where c.project_id = any(${ids}::bigint[]) and c.project_id = s.project_id
            and c.subscription_id = s.id and c.status in ('opening', 'open'))`,
  )
  return each(db, due, async (queries, subscription) => {
    const isWanted = isPaidByInvoice(subscription) && !subscription.cancels_at_period_end
    if (!isWanted || daysLeft(subscription) > days) return
    const key = randomUUID()
    const [order] = await queries.run<Order>(
      `insert into checkouts as c (project_id, subscription_id, gateway, plan, period, amount, currency, status, key, url, expires_at)
       select $1, $2, last.gateway, last.plan, last.period, last.amount, last.currency, 'open', $3, $4,
         greatest(now(), $5::timestamptz) + make_interval(days => $6)
       from checkouts last where last.project_id = $1 and last.subscription_id = $2 and last.gateway = 'invoice' and last.status = 'paid'
       order by last.id desc limit 1
       on conflict (project_id, subscription_id) where status in ('opening', 'open') do nothing
       returning ${orderColumns}`,
      [queries.projectId, subscription.id, key, pageUrl(key), subscription.current_period_ends_at, days],
    )
    if (order) await recordOrder(queries, 'order.placed', order, null)
  })
}

/** Reminds of an unpaid order once, when half of its time is over. */
async function remind(db: Database): Promise<unknown[]> {
  const due = await inAllProjects(
    db,
    (ids) => db.sql<Due[]>`
      select project_id, subscription_id from checkouts
      where project_id = any(${ids}::bigint[]) and gateway = 'invoice' and status = 'open' and reminded_at is null
        and expires_at > now() and created_at + (expires_at - created_at) / 2 <= now()`,
  )
  return each(db, due, async (queries, { id }) => {
    const [order] = await queries.run<Order>(
      `with c as (
         update checkouts c set reminded_at = now() from (
           select d.id, d.created_at + (d.expires_at - d.created_at) / 2 as half_time from checkouts d where d.project_id = $1) due
         where c.project_id = $1 and c.id = due.id and c.subscription_id = $2 and c.gateway = 'invoice' and c.status = 'open'
           and c.reminded_at is null and due.half_time <= now() returning c.*
       ) select ${orderColumns} from c`,
      [queries.projectId, id],
    )
    if (order) await recordOrder(queries, 'order.reminded', order, null)
  })
}

/** Each in a transaction of its own, with what the subscription is by then. One that fails does not stop the others. */
async function each(
  db: Database,
  due: readonly Due[],
  work: (queries: Change, subscription: Subscription) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = []
  for (const { project_id: projectId, subscription_id: id } of due)
    await change(db, projectId, async (queries) => {
      const subscription = await findSubscription(queries, projectId, id, 'for update')
      if (subscription) await work(queries, subscription)
    }).catch((error) => failures.push(error))
  return failures
}

const isPaidByInvoice = ({ gateway, status }: Subscription) => gateway === 'invoice' && isPaid(status)

const daysLeft = ({ current_period_ends_at: end }: Subscription) =>
  (Date.parse(end as string) - Date.now()) / 86_400_000

async function become(queries: Change, before: Subscription, status: ProviderState['status']): Promise<void> {
  const notice = { projectId: queries.projectId, subscriptionId: before.id, eventId: null, actorId: null }
  await follow(queries, before, { ...providerStateOf(before), status }, notice)
}
