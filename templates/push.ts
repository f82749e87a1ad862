// A push as a record: which state of which master goes to which projects, in batches, and how far it is.
import type { Queries } from '#database/connect.ts'
import { newestShown } from './coverage.ts'

export const pushKinds = ['board', 'card', 'removal'] as const
export const pushStatuses = ['running', 'canceling', 'done', 'canceled'] as const

export type PushKind = (typeof pushKinds)[number]
export type PushStatus = (typeof pushStatuses)[number]

/**
 * Enough that the cost of a transaction hardly counts, few enough that the members of its projects, who wait for it, hardly notice: 25,000
 * rows took three times as long, and a whole rollout no less.
 */
const mostRowsInBatch = 8_000
const mostProjectsInBatch = 500

/** Pins the state of now and lists the projects. The master board is locked against changes by whoever calls. */
export async function startPush(
  { sql }: Queries,
  push: { kind: PushKind; boardId: number; cardId: number | null; actorId: number },
): Promise<number> {
  const { kind, boardId, cardId, actorId } = push
  const [started] = await sql<{ id: number; cards: number }[]>`
    insert into pushes (kind, board_id, card_id, version, created_by)
    select ${kind}, id, ${cardId}, version, ${actorId} from master_boards where id = ${boardId}
    returning id, (select count(*) from master_cards where board_id = ${boardId} and deleted_at is null) as cards`
  const { id, cards } = started as { id: number; cards: number }
  const perProject = kind === 'board' ? Math.max(cards, 1) : 1
  const size = Math.min(Math.max(Math.floor(mostRowsInBatch / perProject), 1), mostProjectsInBatch)
  // A copy that has seen all that is shown of the board needs nothing, whatever the project did with it. A removal goes to every
  // project: a push that is still running may bring the card to one that does not have it yet.
  await sql`
    insert into push_batches (push_id, number, project_ids, no_access_ids, opted_out_ids, done_at)
    select ${id}, row_number() over (order by min(project_id)), array_agg(project_id order by project_id),
      case state when 'no access' then array_agg(project_id order by project_id) else '{}' end,
      case state when 'opted out' then array_agg(project_id order by project_id) else '{}' end,
      case state when 'open' then null else now() end
    from (
      select project_id, state, (row_number() over (partition by state order by project_id) - 1) / ${size}::int as part
      from (
        select p.id as project_id, case
          when ${kind} = 'removal' then 'open'
          when m.tool_key is not null and not p.tool_keys ? m.tool_key then 'no access'
          when ${kind} = 'card' or copy.synced_version < newest or copy.id is null or refusal.project_id is not null then 'open'
          when copy.deleted_at is not null then 'opted out'
          else 'up to date' end as state
        from master_boards m cross join lateral (select ${sql.unsafe(newestShown)} as newest offset 0) shown
        join projects p on p.platform_id = m.platform_id and p.kind = 'customer' and p.deleted_at is null
        left join boards copy on copy.project_id = p.id and copy.master_board_id = m.id
        left join rollout_refusals refusal on refusal.project_id = p.id and refusal.master_board_id = m.id
        where m.id = ${boardId}
      ) projects
    ) parts group by state, part`
  return id
}

/** Ends a push that has no batch left, or that was canceled and has none at work; answers how it stands. */
export async function closePush({ sql }: Queries, pushId: number): Promise<PushStatus> {
  await sql`
    with done as (
      update pushes set status = 'done', finished_at = now() where id = ${pushId} and status = 'running'
      and not exists (select from push_batches where push_id = ${pushId} and done_at is null) returning kind, card_id, version
    )
    update master_cards c set rolled_out_revision = greatest(rolled_out_revision, (
      select max(revision) from master_card_revisions r where r.card_id = c.id and r.revision <= done.version))
    from done where c.id = done.card_id and done.kind = 'card'`
  await sql`
    with free as materialized (
      select from pushes p join push_batches b on b.push_id = p.id and b.done_at is null
      where p.id = ${pushId} and p.status = 'canceling' for update of b skip locked
    )
    update pushes set status = 'canceled', finished_at = now() where id = ${pushId} and status = 'canceling'
      and (select count(*) from free) = (select count(*) from push_batches where push_id = ${pushId} and done_at is null)`
  const [push] = await sql<{ status: PushStatus }[]>`select status from pushes where id = ${pushId}`
  return push?.status as PushStatus
}

export interface Counts {
  projects: number
  changed: number
  unchanged: number
  opted_out: number
  no_access: number
  failed: number
  pending: number
}

const sum = (value: string, condition: string) => `coalesce(sum(${value}) filter (where ${condition}), 0)`

/** `p` is the push. Every batch is committed whole, so that those that are done are exactly what has happened. */
export const countsOf = `(
  select jsonb_build_object('projects', listed, 'changed', changed, 'opted_out', opted_out, 'no_access', no_access,
    'failed', failed, 'pending', pending,
    'unchanged', listed - changed - opted_out - no_access - failed - pending)
  from (
    select ${sum('cardinality(project_ids)', 'true')} as listed,
      ${sum('cardinality(changed_ids)', 'done_at is not null')} as changed,
      ${sum('(select count(*) from unnest(opted_out_ids) id where id <> all(changed_ids))', 'done_at is not null')} as opted_out,
      ${sum('cardinality(no_access_ids)', 'done_at is not null')} as no_access,
      ${sum('(select count(*) from jsonb_object_keys(failures))', 'done_at is not null')} as failed,
      ${sum('cardinality(project_ids)', 'done_at is null')} as pending
    from push_batches where push_id = p.id
  ) sums)`

export async function readCounts(queries: Queries, pushId: number): Promise<Counts> {
  const [row] = await queries.run<{ counts: Counts }>(
    `select ${countsOf} as counts from pushes p where p.id = $1`,
    [pushId],
  )
  return row?.counts as Counts
}

/** Projects that have the board and are up to date with it; who has opted out has not, also where cards of it were moved elsewhere. */
export async function readSyncedCount({ sql }: Queries, pushId: number): Promise<number> {
  const [row] = await sql<{ count: number }[]>`
    select coalesce(sum(cardinality(project_ids) - cardinality(no_access_ids) - cardinality(opted_out_ids)
      - (select count(*) from jsonb_object_keys(failures))), 0)::bigint as count
    from push_batches where push_id = ${pushId} and done_at is not null`
  return row?.count as number
}

/** What is committed stays, what is being worked on is undone; false where the push has ended or is none. */
export async function cancelPush(queries: Queries, pushId: number): Promise<boolean> {
  const { sql } = queries
  const canceled = await sql`
    update pushes set status = 'canceling' where id = ${pushId} and status in ('running', 'canceling') returning id`
  await closePush(queries, pushId)
  return canceled.length > 0
}

/** Opens a push again for what failed and what a cancellation left out. */
export async function reopenPush(
  { sql }: Queries,
  pushId: number,
): Promise<'reopened' | 'missing' | 'running' | 'canceling' | 'complete'> {
  const [push] = await sql<
    { status: PushStatus }[]
  >`select status from pushes where id = ${pushId} for update`
  if (!push) return 'missing'
  if (push.status === 'running' || push.status === 'canceling') return push.status
  const [open] = await sql<{ is_open: boolean }[]>`
    with failed as (
      update push_batches b set failures = '{}',
        project_ids = array(select id from unnest(project_ids) id where not failures ? id::text order by id)
      from (select push_id, number, failures as before from push_batches where push_id = ${pushId}) old
      where b.push_id = old.push_id and b.number = old.number and b.failures <> '{}'
      returning array(select key::bigint from jsonb_object_keys(before) key) as ids
    ), again as (
      insert into push_batches (push_id, number, project_ids)
      select ${pushId}, (select max(number) from push_batches where push_id = ${pushId}) + row_number() over (), ids from failed
      returning 1
    )
    select exists (select from again)
      or exists (select from push_batches where push_id = ${pushId} and done_at is null) as is_open`
  if (!open?.is_open) return 'complete'
  await sql`
    update pushes set status = 'running', finished_at = null, worked_at = now() where id = ${pushId}`
  return 'reopened'
}
