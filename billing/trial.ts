import { inAllProjects } from '#database/all-projects.ts'
import { type Database, insideTransaction, type Queries, type Transaction } from '#database/connect.ts'
import { change, changesOfMany } from '#events/change.ts'
import { recordEvent, recordEvents } from '#events/record.ts'
import { type Catalogue, catalogueOf, findProduct } from './catalogue.ts'
import { readSubscription, type ShownSubscription } from './shown.ts'
import { isTrial } from './state.ts'
import { findSubscription, type Refusal, writeSubscription } from './subscription.ts'

/** Starts a trial, by default of the catalogue's length, unless the project has a subscription to the product that has not ended. */
export async function startTrial(
  db: Database,
  catalogue: Catalogue,
  {
    projectId,
    product,
    days = catalogue.trialDays,
    actorId,
  }: { projectId: number; product: string; days?: number | undefined; actorId: number },
): Promise<ShownSubscription | 'no product' | 'already subscribed'> {
  if (!findProduct(catalogue, product)) return 'no product'
  return change(db, projectId, async (queries) => {
    const [made] = await queries.sql<{ id: number; trial_ends_at: string }[]>`
      insert into subscriptions (project_id, product, status, trial_ends_at)
      values (${projectId}, ${product}, 'trialing', date_trunc('milliseconds', now()) + make_interval(days => ${days}))
      on conflict (project_id, product) where status <> 'canceled' do nothing
      returning id, trial_ends_at`
    if (!made) return 'already subscribed'
    await recordEvent(queries, {
      boardId: null,
      actorId,
      kind: 'subscription.trial_started',
      data: {
        subscription_id: made.id,
        product,
        changes: {
          status: { from: null, to: 'trialing' },
          trial_ends_at: { from: null, to: made.trial_ends_at },
        },
      },
    })
    return (await readSubscription(queries, projectId, made.id)) as ShownSubscription
  })
}

/** What somebody who signs up can try: one product, by default the first of their platform, whose trial begins with their project. */
export const trialsFor = (db: Database, billing: { catalogue: Catalogue }) => ({
  /** The key of the product; null if there is none. */
  productFor(platformId: number, wanted: string | null): string | null | 'unknown product' {
    const catalogue = catalogueOf(billing.catalogue, platformId)
    const product = wanted ?? catalogue.products[0]?.key ?? null
    return product === null || findProduct(catalogue, product) ? product : 'unknown product'
  },
  async start(
    queries: Transaction,
    platformId: number,
    trial: { projectId: number; product: string; actorId: number },
  ): Promise<void> {
    await startTrial(insideTransaction(db, queries), catalogueOf(billing.catalogue, platformId), trial)
  },
})

/** A trial ends at most so many days from now: beyond the year 9999 no answer could tell its end. */
const mostDaysAhead = 3650
const dayLength = 86_400_000

/** Adds days to the end of a trial, or to now if it has expired; undefined if the project has no such subscription. */
export function extendTrial(
  db: Database,
  { projectId, id, days, actorId }: { projectId: number; id: number; days: number; actorId: number },
): Promise<ShownSubscription | Refusal<'not_a_trial' | 'trial_too_long'> | undefined> {
  return change(db, projectId, async (queries) => {
    const before = await findSubscription(queries, projectId, id, 'for update')
    if (!before) return undefined
    if (!isTrial(before.status) || before.trial_ends_at === null) return { refusal: 'not_a_trial' }
    const from = Math.max(Date.now(), Date.parse(before.trial_ends_at))
    const end = from + days * dayLength
    if (end > Date.now() + mostDaysAhead * dayLength) return { refusal: 'trial_too_long' }
    const values = { status: 'trialing', trial_ends_at: new Date(end).toISOString() } as const
    await writeSubscription(queries, before, values, 'subscription.trial_extended', actorId)
    return readSubscription(queries, projectId, id)
  })
}

/** Whether a catalogue has the product, or one of the projects has had a subscription to it. */
export async function isKnownProduct(
  { sql }: Queries,
  catalogue: Catalogue,
  product: string,
  projectIds: readonly number[],
): Promise<boolean> {
  const all = [catalogue, ...(catalogue.platforms?.values() ?? [])]
  if (all.some((one) => findProduct(one, product))) return true
  const [found] = await sql`
    select from subscriptions where project_id = any(${projectIds as number[]}::bigint[]) and product = ${product} limit 1`
  return found !== undefined
}

/** The same for the trials of a product in many projects, inside of a transaction; returns the projects where there was one that could be extended. */
export async function extendTrials(
  queries: Queries,
  {
    projectIds,
    product,
    days,
    actorId,
  }: { projectIds: readonly number[]; product: string; days: number; actorId: number },
): Promise<number[]> {
  const changes = await changesOfMany(queries, projectIds)
  const ids = projectIds as number[]
  const extended = await queries.sql<
    { project_id: number; id: number; status: 'trialing' | 'expired'; from: string; to: string }[]
  >`
    with before as materialized (
      select s.project_id, s.id, s.trial_ends_at,
        case when s.trial_ends_at <= now() then 'expired' else s.status::text end as status,
        date_trunc('milliseconds', greatest(now(), s.trial_ends_at)) + make_interval(hours => ${24 * days}) as new_end
      from subscriptions s
      where s.project_id = any(${ids}::bigint[]) and s.product = ${product} and s.status in ('trialing', 'expired')
        and s.trial_ends_at <= now() + make_interval(hours => ${24 * (mostDaysAhead - days)})
    ), extended as (
      update subscriptions s set status = 'trialing', updated_at = now(), trial_ends_at = before.new_end
      from before where s.project_id = any(${ids}::bigint[]) and s.project_id = before.project_id and s.id = before.id
      returning s.project_id, s.id, before.status, before.trial_ends_at as old_end, before.new_end
    )
    select project_id, id, status, wire_time(old_end) as from, wire_time(new_end) as to from extended`
  await recordEvents(
    changes,
    extended.map(({ project_id: projectId, id, status, from, to }) => ({
      ...{ projectId, boardId: null, actorId, kind: 'subscription.trial_extended' as const },
      data: {
        subscription_id: id,
        product,
        changes: {
          ...(status === 'expired' && { status: { from: status, to: 'trialing' } }),
          trial_ends_at: { from, to },
        },
      },
    })),
  )
  return extended.map(({ project_id: id }) => id)
}

/**
 * Gives trials back the end that they had before somebody extended them last, inside of a transaction; returns which. What was extended or paid
 * since is left, and so is what they did long ago.
 */
export async function undoExtension(
  queries: Queries,
  { projectIds, product, actorId }: { projectIds: readonly number[]; product: string; actorId: number },
): Promise<number[]> {
  const changes = await changesOfMany(queries, projectIds)
  const ids = projectIds as number[]
  const undone = await queries.sql<
    { project_id: number; id: number; status: 'trialing' | 'expired'; from: string; to: string }[]
  >`
    with extended as materialized (
      select s.project_id, s.id, wire_time(s.trial_ends_at) as new_end, e.changes -> 'trial_ends_at' ->> 'from' as old_end
      from subscriptions s cross join lateral (
        select e.actor_id, e.data -> 'changes' as changes from events e
        where e.project_id = any(${ids}::bigint[]) and e.project_id = s.project_id and e.kind = 'subscription.trial_extended'
          and (e.data ->> 'subscription_id')::bigint = s.id and e.created_at > now() - interval '1 hour'
        order by e.id desc limit 1
      ) e
      where s.project_id = any(${ids}::bigint[]) and s.product = ${product} and s.status = 'trialing' and e.actor_id = ${actorId}
        and wire_time(s.trial_ends_at) = e.changes -> 'trial_ends_at' ->> 'to'
    )
    update subscriptions s set updated_at = now(), trial_ends_at = extended.old_end::timestamptz,
      status = (case when extended.old_end::timestamptz <= now() then 'expired' else 'trialing' end)::subscription_status
    from extended where s.project_id = any(${ids}::bigint[]) and s.project_id = extended.project_id and s.id = extended.id
    returning s.project_id, s.id, s.status, extended.new_end as from, extended.old_end as to`
  await recordEvents(
    changes,
    undone.map(({ project_id: projectId, id, status, from, to }) => ({
      ...{ projectId, boardId: null, actorId, kind: 'subscription.updated' as const },
      data: {
        subscription_id: id,
        product,
        changes: {
          ...(status === 'expired' && { status: { from: 'trialing', to: status } }),
          trial_ends_at: { from, to },
        },
      },
    })),
  )
  return undone.map(({ project_id: id }) => id)
}

/** Stores the status of expired trials and records their events; called by a job, since readers see them expired at once. */
export async function recordExpiredTrials(db: Database): Promise<void> {
  await db.transaction(async (queries) => {
    const due = await inAllProjects(
      queries,
      (ids) => queries.sql<{ project_id: number }[]>`
        select distinct project_id from subscriptions
        where project_id = any(${ids}::bigint[]) and status = 'trialing' and trial_ends_at <= now()`,
    )
    const changes = await changesOfMany(
      queries,
      due.map((row) => row.project_id),
    )
    const ended = await queries.sql<{ project_id: number; id: number; product: string }[]>`
      update subscriptions s set status = 'expired', updated_at = now()
      where s.project_id = any(${[...changes.versions.keys()]}::bigint[]) and s.status = 'trialing' and s.trial_ends_at <= now()
      returning s.project_id, s.id, s.product`
    await recordEvents(
      changes,
      ended.map(({ project_id: projectId, id, product }) => ({
        projectId,
        boardId: null,
        actorId: null,
        kind: 'subscription.expired' as const,
        data: { subscription_id: id, product, changes: { status: { from: 'trialing', to: 'expired' } } },
      })),
    )
  })
}
