import { periods } from '#billing/catalogue.ts'
import { statuses } from '#billing/state.ts'
import { currentStatus } from '#billing/subscription.ts'
import { flag, integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

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
  created_at: timestamp(),
  updated_at: timestamp(),
})

export type Subscription = (typeof subscription)['static']

/** `s` is the subscription, `$1` the id of its project. The session is the one that can be paid, or that was. */
export const subscriptionColumns = `
  s.id, s.project_id, s.product, s.plan, s.period, ${currentStatus} as status, wire_time(s.trial_ends_at) as trial_ends_at,
  wire_time(s.current_period_ends_at) as current_period_ends_at, s.cancels_at_period_end,
  (select c.session_id from checkouts c where c.project_id = $1 and c.subscription_id = s.id
    and (c.status = 'paid' or (c.status = 'open' and c.expires_at > now())) order by c.id desc limit 1) as checkout_session_id,
  wire_time(s.created_at) as created_at, wire_time(s.updated_at) as updated_at`

export async function readSubscription(
  queries: Queries,
  projectId: number,
  id: number,
): Promise<Subscription | undefined> {
  const [found] = await queries.run<Subscription>(
    `select ${subscriptionColumns} from subscriptions s where s.project_id = $1 and s.id = $2`,
    [projectId, id],
  )
  return found
}
