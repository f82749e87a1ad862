// Works on the batches of a rollout, for worker.ts. A batch is one transaction: all of its projects, or none.
import { codeOf, type Database, type Queries, type Transaction, uniqueViolation } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import type { Log } from '../log.ts'
import { apply, type Change, type Removal, removeCopies } from './apply.ts'
import { forgetRefusals, isRefusal, type Reason, reasonOf, rememberRefusal } from './refusal.ts'
import type { RolloutKind } from './rollout.ts'
import { summaryOf } from './summary.ts'

interface Rollout {
  id: number
  kind: RolloutKind
  board_id: number
  card_id: number | null
  revision: number
  /** The number of the version; null for the removal of a card that no version has. */
  version: number | null
  created_by: number
}

interface Batch {
  rollout: Rollout
  number: number
  projectIds: number[]
}

/** Thrown to roll back a batch whose rollout was canceled meanwhile. */
const canceled = new Error('The rollout was canceled.')

/** Works on the next free batch of a running rollout. Returns the projects that changed, or undefined if no batch is free. */
export function workOnBatch(
  db: Database,
  rolloutId: number,
  { quotas = usualQuotas, log }: { quotas?: Quotas; log?: Log } = {},
): Promise<number[] | undefined> {
  const work = db.transaction(async (queries) => {
    const batch = await claim(queries, rolloutId)
    return batch && workOn(queries, batch, { quotas, log })
  })
  return work.catch((error) => {
    if (error === canceled) return undefined
    throw error
  })
}

/**
 * Locks the next free batch. The rollout's status is read after that, because ending a canceled rollout waits for locked
 * batches.
 */
async function claim({ sql }: Queries, rolloutId: number): Promise<Batch | undefined> {
  const [batch] = await sql<{ number: number; project_ids: number[] }[]>`
    select number, project_ids from rollout_batches where rollout_id = ${rolloutId} and done_at is null
    order by number limit 1 for update skip locked`
  if (!batch) return undefined
  const [rollout] = await sql<Rollout[]>`
    select p.id, p.kind, p.board_id, p.card_id, p.revision, v.number as version, p.created_by
    from rollouts p left join template_versions v on v.board_id = p.board_id and v.revision = p.revision
    where p.id = ${rolloutId} and p.status = 'running'`
  return rollout && { rollout, number: batch.number, projectIds: batch.project_ids }
}

async function workOn(
  queries: Transaction,
  batch: Batch,
  { quotas, log }: { quotas: Quotas; log: Log | undefined },
): Promise<number[]> {
  const { rollout, projectIds } = batch
  const tried = await attempt(queries, (inner) => bringUpToDate(inner, batch, quotas))
  if ('refusal' in tried && projectIds.length > 1) {
    await assertRunning(queries, rollout.id)
    await split(queries, batch)
    return []
  }
  const [projectId] = projectIds as [number]
  const again = async (inner: Queries) => {
    await makeRoom(inner, rollout.board_id, projectId)
    return bringUpToDate(inner, batch, quotas)
  }
  const isRankTaken = 'refusal' in tried && codeOf(tried.refusal) === uniqueViolation
  const settled = isRankTaken ? await attempt(queries, again) : tried
  await assertRunning(queries, rollout.id)
  if ('refusal' in settled) {
    const { refusal: error } = settled
    await writeRefusal(queries, batch, reasonOf(error))
    queries.afterCommit(() =>
      log?.warn({ rollout: rollout.id, projectId, error }, 'a project could not receive a rollout'),
    )
    return []
  }
  await writeResult(queries, batch, settled.result)
  return settled.result.changedIds
}

/** Runs the work in a savepoint, and returns its result or why the data of a project forbids it. */
async function attempt<Result>(
  queries: Transaction,
  work: (queries: Queries) => Promise<Result>,
): Promise<{ result: Result } | { refusal: unknown }> {
  try {
    return { result: await queries.savepoint(work) }
  } catch (error) {
    if (!isRefusal(error)) throw error
    return { refusal: error }
  }
}

/** Makes a cancellation wait until this transaction commits, so that nothing is committed after it. */
async function assertRunning({ sql }: Queries, rolloutId: number): Promise<void> {
  const running = await sql`
    update rollouts set worked_at = now() where id = ${rolloutId} and status = 'running' returning id`
  if (running.length === 0) throw canceled
}

/** Splits a batch in two: one refusing project of 500 costs about 2 · log2(500) transactions. */
async function split({ sql }: Queries, { rollout, number, projectIds }: Batch): Promise<void> {
  const middle = Math.ceil(projectIds.length / 2)
  await sql`
    update rollout_batches set project_ids = ${projectIds.slice(0, middle)}::bigint[]
    where rollout_id = ${rollout.id} and number = ${number}`
  await sql`
    insert into rollout_batches (rollout_id, number, project_ids)
    select ${rollout.id}, max(number) + 1, ${projectIds.slice(middle)}::bigint[] from rollout_batches where rollout_id = ${rollout.id}`
}

/** Gives everything in the copy a rank of the project's own, so that none of the master's ranks is taken. */
async function makeRoom({ sql }: Queries, boardId: number, projectId: number): Promise<void> {
  const groups = await sql<{ id: number }[]>`
    select g.id from boards b join groups g on g.project_id = ${projectId} and g.board_id = b.id
    where b.project_id = ${projectId} and b.master_board_id = ${boardId} and g.deleted_at is null order by g.rank`
  await sql`
    update boards set has_own_order = true where project_id = ${projectId} and master_board_id = ${boardId}`
  for (const { id } of groups) {
    await sql`select respace_cards(${projectId}, ${id})`
    await sql`update groups set rank = list_end() where project_id = ${projectId} and id = ${id}`
  }
}

interface Result {
  changedIds: number[]
  noAccessIds: number[]
  /** Projects that have deleted their copy of the board. */
  optedOutIds: number[]
}

async function bringUpToDate(
  queries: Queries,
  { rollout, projectIds }: Batch,
  quotas: Quotas,
): Promise<Result> {
  const changing = await changesOfMany(queries, projectIds)
  // Locked after the versions, as `addTool` does (projects/tools.ts), so that the two cannot deadlock.
  const open = await queries.sql<{ id: number }[]>`
    select p.id from projects p, master_boards m
    where p.id = any(${projectIds}::bigint[]) and m.id = ${rollout.board_id} and p.deleted_at is null
      and (${rollout.kind} = 'removal' or m.tool_key is null or p.tool_keys ? m.tool_key)
    order by p.id for no key update of p`
  const ids = open.map(({ id }) => id)
  const changes =
    rollout.kind === 'removal'
      ? await removeCopies(queries, rollout.card_id as number, ids, rollout.created_by)
      : await apply(
          queries,
          { boardId: rollout.board_id, cardId: rollout.card_id, revision: rollout.revision },
          ids,
          quotas,
        )
  await recordEvents(changing, eventsOf(rollout, changes))
  const optedOut = await queries.sql<{ project_id: number }[]>`
    select project_id from boards where ${rollout.kind} <> 'removal' and project_id = any(${ids}::bigint[])
      and master_board_id = ${rollout.board_id} and deleted_at is not null`
  return {
    changedIds: [...new Set(changes.map((change) => change.project_id))],
    noAccessIds: projectIds.filter((id) => !ids.includes(id)),
    optedOutIds: optedOut.map((row) => row.project_id),
  }
}

/** One event for each board, so that open boards refresh; a removed card gets the event of a deleted one. */
const eventsOf = (rollout: Rollout, changes: readonly (Change | Removal)[]) =>
  changes.map((change) => {
    const what = { projectId: change.project_id, boardId: change.board_id, actorId: rollout.created_by }
    const shared = { rollout_id: rollout.id, rollout_kind: rollout.kind }
    return 'card_id' in change
      ? {
          ...what,
          cardId: change.card_id,
          kind: 'card.deleted' as const,
          data: { ...shared, title: change.title },
        }
      : {
          ...what,
          kind: 'template.rolled_out' as const,
          data: {
            ...shared,
            ...(rollout.version !== null && { version: rollout.version }),
            ...summaryOf(change),
          },
        }
  })

async function writeResult(queries: Queries, { rollout, number, projectIds }: Batch, result: Result) {
  await queries.sql`
    update rollout_batches set changed_ids = ${result.changedIds}::bigint[], no_access_ids = ${result.noAccessIds}::bigint[],
      opted_out_ids = ${result.optedOutIds}::bigint[], done_at = now()
    where rollout_id = ${rollout.id} and number = ${number}`
  await forgetRefusals(queries, rollout.board_id, projectIds)
}

async function writeRefusal(queries: Queries, { rollout, number, projectIds }: Batch, reason: Reason) {
  const [projectId] = projectIds as [number]
  await queries.sql`
    update rollout_batches set failures = jsonb_build_object(${String(projectId)}::text, ${JSON.stringify(reason)}::text::jsonb), done_at = now()
    where rollout_id = ${rollout.id} and number = ${number}`
  await rememberRefusal(queries, rollout.board_id, projectId)
  if (rollout.kind === 'card')
    await queries.sql`
      update boards set synced_revision = 0 where project_id = ${projectId} and master_board_id = ${rollout.board_id}`
}
