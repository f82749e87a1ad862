import { assignments } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { EventKind, Payload } from '#events/catalogue.ts'
import type { Change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { State } from './state.ts'

export interface Subscription extends State {
  project_id: number
  id: number
  product: string
  trial_ends_at: string | null
  /** Differs after every change. */
  version: string
}

/** The code that says why the subscription's state does not allow a request. */
export interface Refusal<Code extends string> {
  refusal: Code
}

/** The status at this moment: a trial is expired as soon as its end has passed. `s` is the subscription. */
export const currentStatus = `case when s.status = 'trialing' and s.trial_ends_at <= now() then 'expired' else s.status end`

const columns = `s.project_id, s.id, s.product, s.plan, s.period, ${currentStatus} as status,
  wire_time(s.trial_ends_at) as trial_ends_at, wire_time(s.current_period_ends_at) as current_period_ends_at,
  s.cancels_at_period_end, s.gateway, s.customer_reference, s.subscription_reference, md5(s::text) as version`

export async function findSubscription(
  queries: Queries,
  projectId: number,
  id: number,
  lock: 'for update' | '' = '',
): Promise<Subscription | undefined> {
  const text = `select ${columns} from subscriptions s where s.project_id = $1 and s.id = $2 ${lock}`
  return (await queries.run<Subscription>(text, [projectId, id]))[0]
}

/** Finds the product's current subscription, or else the latest one that has ended. */
export async function findByProduct(
  queries: Queries,
  projectId: number,
  product: string,
  lock: 'for update' | '' = '',
): Promise<Subscription | undefined> {
  const text = `select ${columns} from subscriptions s where s.project_id = $1 and s.product = $2
    order by s.status = 'canceled', s.id desc limit 1 ${lock}`
  return (await queries.run<Subscription>(text, [projectId, product]))[0]
}

export type SubscriptionEvent = Extract<EventKind, `subscription.${string}`>

/** Left out of events, because members have no use for the provider's ids. */
const providerFields = new Set(['gateway', 'customer_reference', 'subscription_reference'])

/** Writes the values that differ and records one event, in the same transaction. */
export async function writeSubscription(
  change: Change,
  before: Subscription,
  values: Partial<State & { trial_ends_at: string }>,
  kind: SubscriptionEvent,
  actorId: number | null,
): Promise<boolean> {
  const changed = Object.entries(values).filter(([name, to]) => to !== before[name as keyof Subscription])
  if (changed.length === 0) return false
  const { project_id: projectId, id, product } = before
  const { sql } = change
  await sql`
    update subscriptions set ${assignments(change, { ...Object.fromEntries(changed), updated_at: sql`now()` })}
    where project_id = ${projectId} and id = ${id}`
  const changes = Object.fromEntries(
    changed
      .filter(([name]) => !providerFields.has(name))
      .map(([name, to]) => [name, { from: before[name as keyof Subscription], to }]),
  )
  const data: Payload<SubscriptionEvent> = { subscription_id: id, product, changes }
  await recordEvent(change, { boardId: null, actorId, kind, data })
  return true
}
