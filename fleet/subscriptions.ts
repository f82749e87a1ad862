// The subscriptions of all projects: counted with the other figures of a project, listed, and summed up by plan and month.
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries, Value } from '#database/connect.ts'
import { subscriptionStatuses } from './project.ts'

/** Trials that end within this time are shown first. */
const soonDays = 7
const shownMonths = 12

export const listedSubscription = record({
  id: integer(),
  project_id: integer(),
  project_name: text(),
  product: text(),
  plan: nullable(text()),
  period: nullable(oneOf(['month', 'year'])),
  status: oneOf(subscriptionStatuses),
  ends_at: nullable(timestamp({ about: 'The end of the trial, or of the period that is paid.' })),
  cancels_at_period_end: flag(),
  month_amount: nullable(
    integer({
      about:
        'What it brings in a month, in the smallest unit of the currency; a twelfth of a yearly price. Null if nothing was ever paid, or nothing is paid any more.',
    }),
  ),
  currency: nullable(text()),
})

type ListedSubscription = (typeof listedSubscription)['static']

export async function countSubscriptions(queries: Queries, projectIds: readonly number[]): Promise<void> {
  await queries.run(countStatement, [projectIds as number[]])
}

/** $1 the projects. A subscription brings what its last payment was for, until it is canceled or the project is deleted. */
const countStatement = `
  with paid as materialized (
    select c.project_id, c.subscription_id, min(coalesce(c.paid_at, c.created_at)) as since,
      (array_agg(case c.period when 'year' then round(c.amount / 12.0)::integer else c.amount end order by c.id desc))[1] as month_amount,
      (array_agg(c.currency order by c.id desc))[1] as currency
    from checkouts c where c.project_id = any($1::bigint[]) and c.status = 'paid' group by 1, 2
  )
  insert into subscription_figures as f (project_id, id, platform_id, version, name_key, product, plan, period, status, ends_at,
    cancels_at_period_end, month_amount, currency, paid_from, paid_until, is_current)
  select s.project_id, s.id, p.platform_id, coalesce(v.version, 0), lower(p.name), s.product, s.plan, s.period, s.status,
    coalesce(case when s.status in ('trialing', 'expired') then s.trial_ends_at else s.current_period_ends_at end, 'infinity'),
    s.cancels_at_period_end, paid.month_amount, paid.currency, paid.since,
    case when paid.since is null then null
      when s.status = 'canceled' then greatest(paid.since, least(s.current_period_ends_at, s.updated_at))
      when p.deleted_at is not null then greatest(paid.since, p.deleted_at) end,
    p.deleted_at is null and s.id = max(s.id) over (partition by s.project_id, s.product)
  from subscriptions s
  join projects p on p.id = s.project_id and p.purged_at is null
  left join project_versions v on v.project_id = s.project_id and v.project_id = any($1::bigint[])
  left join paid on paid.project_id = s.project_id and paid.subscription_id = s.id
  where s.project_id = any($1::bigint[])
  order by s.project_id, s.id
  on conflict (project_id, id) do update set
    platform_id = excluded.platform_id, version = excluded.version, name_key = excluded.name_key, plan = excluded.plan,
    period = excluded.period, status = excluded.status, ends_at = excluded.ends_at,
    cancels_at_period_end = excluded.cancels_at_period_end, month_amount = excluded.month_amount, currency = excluded.currency,
    paid_from = excluded.paid_from, paid_until = excluded.paid_until, is_current = excluded.is_current
  where f.version <= excluded.version`

/** What the list can be sorted by, and the column of each. */
const columns = { end: 'ends_at', name: 'name_key' } as const

export const subscriptionOrders = ['end', 'name'] as const satisfies readonly (keyof typeof columns)[]

interface SubscriptionFilter {
  /** Null for all platforms. */
  platformId: number | null
  /** Part of the project's name, or its id. */
  query: string | null
  product: string | null
  plan: string | null
  status: (typeof subscriptionStatuses)[number] | null
  endsFrom: string | null
  endsUntil: string | null
}

interface Order {
  by: (typeof subscriptionOrders)[number]
  isDescending: boolean
}

interface Page {
  /** The id of the last subscription of the page before. */
  after: number | null
  limit: number
}

/** A trial is expired from its end on, also before it is counted again. */
const isOver = "f.status = 'trialing' and f.ends_at <= now()"

/** One page; undefined if the subscription it follows is no longer among them. */
export async function listAllSubscriptions(
  queries: Queries,
  filter: SubscriptionFilter,
  { by, isDescending }: Order,
  { after, limit }: Page,
): Promise<ListedSubscription[] | undefined> {
  const values: Value[] = []
  const given = (value: Value) => `$${values.push(value)}`
  const conditions = conditionsOf(filter, given)
  const column = columns[by]
  if (after !== null) {
    const [last] = await queries.run('select from subscription_figures where id = $1', [after])
    if (!last) return undefined
    conditions.push(
      `(f.${column}, f.id) ${isDescending ? '<' : '>'} (
        select last.${column}, last.id from subscription_figures last where last.id = ${given(after)})`,
    )
  }
  const direction = isDescending ? 'desc' : 'asc'
  const order = `f.${column} ${direction}, f.id ${direction}`
  return queries.run<ListedSubscription>(
    `select f.id, f.project_id, p.name as project_name, f.product, f.plan, f.period,
       case when ${isOver} then 'expired' else f.status::text end as status, nullif(f.ends_at, 'infinity') as ends_at,
       f.cancels_at_period_end, case when f.paid_until is null then f.month_amount end as month_amount, f.currency
     from (
       select f.* from subscription_figures f where ${conditions.join(' and ')} order by ${order} limit ${given(limit)}
     ) f join projects p on p.id = f.project_id order by ${order}`,
    values,
  )
}

export async function countAllSubscriptions(queries: Queries, filter: SubscriptionFilter): Promise<number> {
  const values: Value[] = []
  const conditions = conditionsOf(filter, (value) => `$${values.push(value)}`)
  const [counted] = await queries.run<{ count: number }>(
    `select count(*) from subscription_figures f where ${conditions.join(' and ')}`,
    values,
  )
  return counted?.count as number
}

/** Only the conditions that are asked for, so that each combination has its own plan. */
function conditionsOf(filter: SubscriptionFilter, given: (value: Value) => string): string[] {
  const { platformId, query, product, plan, status, endsFrom, endsUntil } = filter
  return [
    'f.is_current',
    platformId !== null && `f.platform_id = ${given(platformId)}`,
    query !== null && matches(query.toLowerCase(), given),
    product !== null && `f.product = ${given(product)}`,
    plan !== null && `f.plan = ${given(plan)}`,
    status === 'trialing' && `f.status = 'trialing' and f.ends_at > now()`,
    status === 'expired' && `(f.status = 'expired' or ${isOver})`,
    status !== null &&
      status !== 'trialing' &&
      status !== 'expired' &&
      `f.status = ${given(status)}::text::subscription_status`,
    endsFrom !== null && `f.ends_at >= ${given(endsFrom)}::text::timestamptz`,
    endsUntil !== null && `f.ends_at < ${given(endsUntil)}::text::timestamptz`,
  ].filter((condition) => condition !== false)
}

function matches(text: string, given: (value: Value) => string): string {
  const inName = `position(${given(text)} in f.name_key) > 0`
  return /^\d{1,15}$/.test(text) ? `(${inName} or f.project_id = ${given(Number(text))})` : inName
}

const amount = integer({ about: 'In the smallest unit of the currency.' })

export const subscriptionSummary = record({
  trialing_count: integer(),
  ending_count: integer({ about: `Trials that end within ${soonDays} days.` }),
  active_count: integer(),
  past_due_count: integer(),
  canceled_count: integer(),
  expired_count: integer(),
  plans: list(
    record({ product: text(), plan: text(), count: integer(), month_amount: amount, currency: text() }),
    { about: 'What is paid for, by plan.' },
  ),
  revenue: list(
    record({ currency: text(), months: list(record({ month: text(), amount }), { max: shownMonths }) }),
    {
      about:
        'What paid subscriptions brought at the end of each of the last 12 months, and bring now, as an amount for a month.',
    },
  ),
})

type Summary = (typeof subscriptionSummary)['static']

/** $1 the platform, or null for all. */
const isOfPlatform = '($1::bigint is null or f.platform_id = $1)'
const monthOf = (column: string) =>
  `(extract(year from f.${column} at time zone 'UTC') * 12 + extract(month from f.${column} at time zone 'UTC'))::integer - 1`

export async function summarizeSubscriptions(
  queries: Queries,
  platformId: number | null,
  now = new Date(),
): Promise<Summary> {
  const of = [platformId]
  const [counts, plans, steps] = await Promise.all([
    queries.run<{ status: Status; is_over: boolean; count: number; ending: number }>(
      `select f.status, ${isOver} as is_over, count(*), count(*) filter (
         where f.status = 'trialing' and f.ends_at > now() and f.ends_at <= now() + interval '${soonDays} days') as ending
       from subscription_figures f where f.is_current and ${isOfPlatform} group by 1, 2`,
      of,
    ),
    queries.run<Summary['plans'][number]>(
      `select f.product, min(f.plan) as plan, count(*), sum(f.month_amount)::bigint as month_amount, min(f.currency) as currency
       from subscription_figures f
       where f.is_current and f.status in ('active', 'past_due') and f.month_amount is not null and f.plan is not null and ${isOfPlatform}
       group by f.product, f.plan, f.currency order by 4 desc, 1, 2`,
      of,
    ),
    queries.run<{ currency: string; month: number; step: number }>(
      `select currency, month, sum(step)::bigint as step from (
         select f.currency, ${monthOf('paid_from')} as month, f.month_amount as step from subscription_figures f
         where f.paid_from <= now() and ${isOfPlatform}
         union all select f.currency, ${monthOf('paid_until')}, -f.month_amount from subscription_figures f
         where f.paid_until <= now() and ${isOfPlatform}
       ) steps group by 1, 2`,
      of,
    ),
  ])
  const countOf = (status: Status, isPast = false) =>
    counts
      .filter((one) => one.status === status && one.is_over === isPast)
      .reduce((sum, { count }) => sum + count, 0)
  return {
    trialing_count: countOf('trialing'),
    ending_count: counts.reduce((sum, { ending }) => sum + ending, 0),
    active_count: countOf('active'),
    past_due_count: countOf('past_due'),
    canceled_count: countOf('canceled'),
    expired_count: countOf('expired') + countOf('trialing', true),
    plans,
    revenue: revenueOf(steps, now.getUTCFullYear() * 12 + now.getUTCMonth()),
  }
}

type Status = (typeof subscriptionStatuses)[number]

/** Months are numbered from the year 0 on; each has what began until its end, without what had ended by then. */
function revenueOf(steps: readonly { currency: string; month: number; step: number }[], last: number) {
  const months = Array.from({ length: shownMonths }, (_, index) => last - shownMonths + 1 + index)
  return [...Map.groupBy(steps, ({ currency }) => currency)].map(([currency, own]) => ({
    currency,
    months: months.map((month) => ({
      month: `${Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}`,
      amount: own.filter((one) => one.month <= month).reduce((sum, { step }) => sum + step, 0),
    })),
  }))
}
