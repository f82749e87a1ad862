// What people are shown of subscriptions. What billing itself needs of a subscription is in subscription.ts.
import { flag, integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { eventsWithActors, shownColumns, type shownEvent } from '#events/shown.ts'
import { periods } from './catalogue.ts'
import { statuses } from './state.ts'
import { currentStatus } from './subscription.ts'

/** A project's subscription to a product. */
export const subscription = record({
  id: integer(),
  project_id: integer(),
  product: text(),
  plan: nullable(text()),
  period: nullable(oneOf(periods)),
  status: oneOf(statuses),
  trial_ends_at: nullable(timestamp()),
  current_period_ends_at: nullable(timestamp()),
  cancels_at_period_end: flag(),
  checkout_session_id: nullable(text()),
  /** Until when its order can be paid; null without an open order. */
  order_expires_at: nullable(timestamp()),
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type ShownSubscription = (typeof subscription)['static']

/** `s` is the subscription, `$1` the id of its project. The session is the one that can be paid, or that was. */
const subscriptionColumns = `
  s.id, s.project_id, s.product, s.plan, s.period, ${currentStatus} as status, wire_time(s.trial_ends_at) as trial_ends_at,
  wire_time(s.current_period_ends_at) as current_period_ends_at, s.cancels_at_period_end,
  (select c.session_id from checkouts c where c.project_id = $1 and c.subscription_id = s.id
    and (c.status = 'paid' or (c.status = 'open' and c.expires_at > now())) order by c.id desc limit 1) as checkout_session_id,
  (select wire_time(c.expires_at) from checkouts c where c.project_id = $1 and c.subscription_id = s.id and c.gateway = 'invoice'
    and c.status = 'open' and c.expires_at > now()) as order_expires_at,
  wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at`

export async function readSubscription(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<ShownSubscription | undefined> {
  const [found] = await queries.run<ShownSubscription>(
    `select ${subscriptionColumns} from subscriptions s where s.project_id = $1 and s.id = $2`,
    [projectId, id],
  )
  return found
}

interface Page {
  /** The id before which the page begins; null for the first page. */
  after: number | null
  limit: number
}

/** The subscriptions of a project, including ended ones, newest first. */
export function listSubscriptions(
  queries: Queries,
  projectId: number,
  { after, limit }: Page,
): Promise<ShownSubscription[]> {
  return queries.run<ShownSubscription>(
    `select ${subscriptionColumns} from subscriptions s
     where s.project_id = $1 and ($2::bigint is null or s.id < $2) order by s.id desc limit $3`,
    [projectId, after, limit],
  )
}

/** What happened to a subscription, newest first. */
export function listHistory(
  queries: Queries,
  { projectId, id }: { projectId: number; id: number },
  { after, limit }: Page,
): Promise<(typeof shownEvent)['static'][]> {
  return queries.run<(typeof shownEvent)['static']>(
    `select ${shownColumns} from ${eventsWithActors}
     where e.project_id = $1 and e.board_id is null and (e.kind like 'subscription.%' or e.kind like 'order.%') and e.data->'subscription_id' = to_jsonb($2::bigint)
       and ($3::bigint is null or e.id < $3)
     order by e.id desc limit $4`,
    [projectId, id, after, limit],
  )
}
