// A push as a record: which state of which master goes to which projects, in batches, and how far it is.
import type { Database, Queries } from '#database/connect.ts'
import { codeOf, uniqueViolation } from '#database/connect.ts'
import { type Quotas, reachedQuota, usualQuotas } from '#quotas/quotas.ts'
import { apply, type Change, removeCopies } from './apply.ts'

export const pushKinds = ['board', 'card', 'removal'] as const
export const pushStatuses = ['running', 'done', 'canceled'] as const

type PushKind = (typeof pushKinds)[number]
export type PushStatus = (typeof pushStatuses)[number]

interface Push {
  id: number
  kind: PushKind
  board_id: number
  card_id: number | null
  version: number
  status: PushStatus
  created_by: number
}

/** Enough that the cost of a transaction does not count, few enough that nobody waits long for its locks. */
const mostRowsInBatch = 25_000
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
  // A copy that has seen this version of the board needs nothing, whatever the project did with it. A removal goes to every
  // project: a push that is still running may bring the card to one that does not have it yet.
  await sql`
    insert into push_batches (push_id, number, project_ids, no_access_ids, done_at)
    select ${id}, row_number() over (order by min(project_id)), array_agg(project_id order by project_id),
      case state when 'no access' then array_agg(project_id order by project_id) else '{}' end,
      case state when 'open' then null else now() end
    from (
      select project_id, state, (row_number() over (partition by state order by project_id) - 1) / ${size}::int as part
      from (
        select p.id as project_id, case
          when ${kind} = 'removal' then 'open'
          when m.tool_key is not null and not p.tool_keys ? m.tool_key then 'no access'
          when ${kind} = 'board' and copy.synced_version >= m.version then 'up to date'
          else 'open' end as state
        from master_boards m
        join projects p on p.platform_id = m.platform_id and p.kind = 'customer' and p.deleted_at is null
        left join boards copy on copy.project_id = p.id and copy.master_board_id = m.id
        where m.id = ${boardId}
      ) projects
    ) parts group by state, part`
  return id
}

interface Claim {
  push: Push
  number: number
  projectIds: number[]
}

/**
 * The next batch that nobody works on, or the named one, waited for: whoever goes through its projects one by one must not pass over
 * those that another does at the moment. Undefined where there is none, it is done, or the push was canceled.
 */
async function claim({ sql }: Queries, pushId: number, number: number | null): Promise<Claim | undefined> {
  const [push] = await sql<Push[]>`
    select id, kind, board_id, card_id, version, status, created_by from pushes where id = ${pushId} and status = 'running'`
  if (!push) return undefined
  const [batch] = await sql<{ number: number; project_ids: number[] }[]>`
    select number, project_ids from push_batches
    where push_id = ${pushId} and done_at is null and (${number}::int is null or number = ${number})
    order by number limit 1 for update ${number === null ? sql`skip locked` : sql``}`
  return batch && { push, number: batch.number, projectIds: batch.project_ids }
}

/** Does the next free batch of a running push; the projects in which something changed, or undefined where there is no batch. */
export async function workOnBatch(
  db: Database,
  pushId: number,
  quotas = usualQuotas,
): Promise<number[] | undefined> {
  let claimed: Claim | undefined
  try {
    return await db.transaction(async (queries) => {
      claimed = await claim(queries, pushId, null)
      if (!claimed) return undefined
      const changedIds = await bringUpToDate(queries, claimed, claimed.projectIds, quotas)
      await close(queries, claimed)
      return changedIds
    })
  } catch (error) {
    if (!claimed || !isRefusal(error)) throw error
    return workOneByOne(db, claimed, quotas)
  }
}

/** What the data of a project forbids, or makes too slow, fails again however often it is tried, unlike a lost connection or a lock. */
const isRefusal = (error: unknown) =>
  reachedQuota(error) !== undefined || /^(22|23|P0|57014)/.test(codeOf(error))

/** A project that cannot receive the push is no reason for the others of its batch to go without. */
async function workOneByOne(
  db: Database,
  { push, number, projectIds }: Claim,
  quotas: Quotas,
): Promise<number[]> {
  const changedIds: number[] = []
  const attempt = (work: (queries: Queries, claimed: Claim) => Promise<unknown>) =>
    db.transaction(async (queries) => {
      const claimed = await claim(queries, push.id, number)
      if (claimed) await work(queries, claimed)
    })
  for (const id of projectIds) {
    const again = async (queries: Queries, claimed: Claim) => {
      changedIds.push(...(await bringUpToDate(queries, claimed, [id], quotas)))
    }
    try {
      await attempt(again).catch((error) => {
        if (codeOf(error) !== uniqueViolation) throw error
        return attempt(async (queries, claimed) => {
          await makeRoom(queries, push.board_id, id)
          await again(queries, claimed)
        })
      })
    } catch (error) {
      if (!isRefusal(error)) throw error
      await attempt(
        ({ sql }) => sql`
        update push_batches set failures = failures || jsonb_build_object(${String(id)}::text, ${reasonOf(error)}::text)
        where push_id = ${push.id} and number = ${number}`,
      )
    }
  }
  await attempt(close)
  return changedIds
}

const reasonOf = (error: unknown) =>
  reachedQuota(error)?.sentence ?? `The database refused it: ${(error as Error).message}`

/** Ranks of the project's own for everything in the copy: then none of the master's can be taken. */
async function makeRoom({ sql }: Queries, boardId: number, projectId: number): Promise<void> {
  const groups = await sql<{ id: number }[]>`
    select g.id from boards b join groups g on g.project_id = b.project_id and g.board_id = b.id
    where b.project_id = ${projectId} and b.master_board_id = ${boardId} and g.deleted_at is null order by g.rank`
  await sql`
    update boards set has_own_order = true where project_id = ${projectId} and master_board_id = ${boardId}`
  for (const { id } of groups) {
    await sql`select respace_cards(${projectId}, ${id})`
    await sql`update groups set rank = list_end() where project_id = ${projectId} and id = ${id}`
  }
}

async function bringUpToDate(
  queries: Queries,
  { push, number }: Claim,
  projectIds: number[],
  quotas: Quotas,
): Promise<number[]> {
  const { sql } = queries
  // In one order, so that pushes and the deletion of a project wait for each other instead of failing.
  const open = await sql<{ id: number }[]>`
    select p.id from projects p, master_boards m
    where p.id = any(${projectIds}::bigint[]) and m.id = ${push.board_id} and p.deleted_at is null
      and (${push.kind} = 'removal' or m.tool_key is null or p.tool_keys ? m.tool_key)
    order by p.id for no key update of p`
  const ids = open.map(({ id }) => id)
  const changes =
    push.kind === 'removal'
      ? await removeCopies(queries, push.card_id as number, ids)
      : await apply(
          queries,
          { boardId: push.board_id, cardId: push.card_id, version: push.version },
          ids,
          quotas,
        )
  await writeEvents(queries, push, changes)
  const changedIds = [...new Set(changes.map((change) => change.project_id))]
  const noAccessIds = projectIds.filter((id) => !ids.includes(id))
  // An interrupted batch is done again, and each project of it counts once.
  await sql`
    update push_batches set changed_ids = changed_ids || ${changedIds}::bigint[],
      no_access_ids = array(select id from unnest(no_access_ids) id where id <> all(${projectIds}::bigint[]))
        || ${noAccessIds}::bigint[],
      failures = (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(failures)
        where key::bigint <> all(${projectIds}::bigint[]))
    where push_id = ${push.id} and number = ${number}`
  return changedIds
}

/** One for each board, so that whoever has it open sees it; a removed card is told like any deleted one, so that the trash has it. */
const writeEvents = ({ sql }: Queries, push: Push, changes: readonly Change[]) => sql`
  insert into events (project_id, board_id, card_id, actor_id, kind, data)
  select project_id, board_id, card_id, ${push.created_by},
    ${push.kind === 'removal' ? 'card.deleted' : 'template.pushed'},
    jsonb_strip_nulls(jsonb_build_object('push_id', ${push.id}::bigint, 'push_kind', ${push.kind}::text, 'title', title))
  from jsonb_to_recordset(${sql.json(changes as never)})
    as changed (project_id bigint, board_id bigint, card_id bigint, title text)`

async function close({ sql }: Queries, { push, number }: Claim): Promise<void> {
  await sql`update push_batches set done_at = now() where push_id = ${push.id} and number = ${number}`
  await sql`update pushes set worked_at = now() where id = ${push.id}`
}

/** Ends a push that has no batch left; answers how it stands. */
export async function closePush({ sql }: Queries, pushId: number): Promise<PushStatus> {
  await sql`
    update pushes set status = 'done', finished_at = now() where id = ${pushId} and status = 'running'
    and not exists (select from push_batches where push_id = ${pushId} and done_at is null)`
  const [push] = await sql<{ status: PushStatus }[]>`select status from pushes where id = ${pushId}`
  return push?.status as PushStatus
}

export interface Counts {
  projects: number
  changed: number
  unchanged: number
  no_access: number
  failed: number
  pending: number
}

/** `p` is the push. */
export const countsOf = `(
  select jsonb_build_object('projects', listed, 'changed', changed, 'no_access', no_access, 'failed', failed,
    'pending', pending, 'unchanged', listed - changed - no_access - failed - pending)
  from (
    select coalesce(sum(cardinality(project_ids)), 0) as listed,
      coalesce(sum(cardinality(changed_ids)) filter (where done_at is not null), 0) as changed,
      coalesce(sum(cardinality(no_access_ids)) filter (where done_at is not null), 0) as no_access,
      coalesce(sum((select count(*) from jsonb_object_keys(failures))) filter (where done_at is not null), 0) as failed,
      coalesce(sum(cardinality(project_ids)) filter (where done_at is null), 0) as pending
    from push_batches where push_id = p.id
  ) sums)`

export async function readCounts(queries: Queries, pushId: number): Promise<Counts> {
  const [row] = await queries.run<{ counts: Counts }>(
    `select ${countsOf} as counts from pushes p where p.id = $1`,
    [pushId],
  )
  return row?.counts as Counts
}

/** Between two batches; false where the push is not running. */
export async function cancelPush({ sql }: Queries, pushId: number): Promise<boolean> {
  const canceled = await sql`
    update pushes set status = 'canceled', finished_at = now() where id = ${pushId} and status = 'running' returning id`
  return canceled.length > 0
}

/** Opens a push again for what failed and what a cancellation left out. */
export async function reopenPush(
  { sql }: Queries,
  pushId: number,
): Promise<'reopened' | 'missing' | 'running' | 'complete'> {
  const [push] = await sql<
    { status: PushStatus }[]
  >`select status from pushes where id = ${pushId} for update`
  if (!push) return 'missing'
  if (push.status === 'running') return 'running'
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
