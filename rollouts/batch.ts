// Works on the batches of a rollout, for worker.ts. A batch is one transaction: all of its projects, or none.

import { copiedBoards, findLacking } from '#boards/rollout.ts'
import { keepingCoverage } from '#coverage/counts.ts'
import { codeOf, type Database, type Queries, type Transaction, uniqueViolation } from '#database/connect.ts'
import { changesOfBatch } from '#events/change.ts'
import { recordEvents } from '#events/record.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import type { Log } from '../log.ts'
import { type Applied, type Applying, changeCopies } from './changing-copies.ts'
import { type Received, receivedIn, unlessNothing, withKept } from './counting.ts'
import { planWithinLimits } from './limits.ts'
import { pauseAfterFailures } from './pausing.ts'
import { noAccess, type PlannedProject, plannedOutcomes, planProjects } from './planning.ts'
import { eventsOf } from './recording.ts'
import { forgetRefusals, isRefusal, type Reason, reasonOf, rememberRefusal } from './refusal.ts'
import type { RolloutKind } from './rollout.ts'

interface Rollout extends Applying {
  /** The number of the version; null for the removal of a card that no version has. */
  version: number | null
  status: 'planning' | 'running'
  stop_after_failures: number | null
  /** True if it was planned, and the template has changed since: then every project is planned again. */
  is_outdated: boolean
}

interface Batch {
  rollout: Rollout
  number: number
  projectIds: number[]
  /** What was planned for each project; null if the rollout was not planned. */
  planned: Record<string, PlannedProject> | null
  /** To measure how long it takes. */
  beganAt: number
}

/** Thrown to roll back a batch whose rollout was canceled meanwhile. */
const canceled = new Error('The rollout was canceled.')

/**
 * Works on the next free batch of a rollout that is planned or running. Returns the projects that changed, or undefined if no batch is
 * free.
 */
export function workOnBatch(
  db: Database,
  rolloutId: number,
  { quotas = usualQuotas, log }: { quotas?: Quotas; log?: Log } = {},
): Promise<number[] | undefined> {
  const work = db.transaction(async (queries) => {
    const batch = await claim(queries, rolloutId)
    if (batch?.rollout.status === 'planning') return plan(queries, batch, quotas)
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
  const beganAt = performance.now()
  const [batch] = await sql<{ number: number; project_ids: number[]; planned: Batch['planned'] }[]>`
    select number, project_ids, planned from rollout_batches where rollout_id = ${rolloutId} and done_at is null
      and (planned is null or exists (
        select from rollouts p where p.id = ${rolloutId} and p.status <> 'planning' and rollout_batches.stage <= p.stage))
    order by number limit 1 for update skip locked`
  if (!batch) return undefined
  const [rollout] = await sql<Rollout[]>`
    select p.id, p.kind, p.board_id, p.card_id, p.revision, v.number as version, p.created_by, p.status, p.stop_after_failures, p.reverts_id, p.reset_fields,
      (select reverted.kind from rollouts reverted where reverted.id = p.reverts_id) as reverted_kind, p.planned_at is not null and (
      (select max(revision) from template_versions where board_id = p.board_id) > p.planned_newest or exists (
        select from rollouts other where other.board_id = p.board_id and other.id <> p.id and other.status not in ('planning', 'planned')
          and other.worked_at > p.created_at - make_interval(mins => ${longestBatchMinutes}))) as is_outdated
    from rollouts p left join template_versions v on v.board_id = p.board_id and v.revision = p.revision
    where p.id = ${rolloutId} and p.status in ('planning', 'running')`
  const { number, project_ids: projectIds, planned } = batch
  return rollout && { rollout, number, projectIds, planned, beganAt }
}

/** A batch of another rollout may have begun this long before it changed what was planned. */
const longestBatchMinutes = 10

/** Stores what the projects would receive. */
async function plan(
  queries: Transaction,
  { rollout, number, projectIds }: Batch,
  quotas: Quotas,
): Promise<number[]> {
  const open = await queries.sql<{ id: number }[]>`
    select p.id from projects p, master_boards m where p.id = any(${projectIds}::bigint[]) and ${hasAccess(queries, rollout)}`
  const ids = open.map(({ id }) => id)
  const { projects, things } = await planWithinLimits(queries, rollout, ids, quotas)
  const planned: Batch['planned'] = {}
  for (const id of projectIds) planned[id] = projects[id] ?? noAccess
  const all = Object.values(planned)
  const counts = Object.fromEntries([
    ...plannedOutcomes.map((outcome) => [
      outcome,
      all.filter((project) => project.outcome === outcome).length,
    ]),
    ...cardCounts.map((name) => [name, all.reduce((sum, project) => sum + (project[name] ?? 0), 0)]),
  ])
  await assertStill(queries, rollout)
  const [asText, countsText, thingsText] = [planned, counts, things].map((value) => JSON.stringify(value))
  await queries.sql`
    update rollout_batches set planned = ${asText as string}::text::jsonb, planned_counts = ${countsText as string}::text::jsonb,
      planned_things = ${thingsText as string}::text::jsonb
    where rollout_id = ${rollout.id} and number = ${number}`
  return []
}

const cardCounts = [
  'added',
  'updated',
  'moved',
  'removed',
  'in_use',
  'kept',
  'used',
  'overtaken',
  'skipped',
] as const

/** A deletion and a revert also reach projects that do not have the product any more. */
const isForAll = (kind: RolloutKind) => kind === 'removal' || kind === 'revert'

/** Whether the rollout can reach the project `p`; `m` is the template. */
const hasAccess = ({ sql }: Queries, { kind, board_id }: Rollout) => sql`
  m.id = ${board_id} and p.deleted_at is null and p.archived_at is null
    and (${isForAll(kind)} or m.tool_key is null or p.tool_keys ? m.tool_key)`

async function workOn(
  queries: Transaction,
  batch: Batch,
  { quotas, log }: { quotas: Quotas; log: Log | undefined },
): Promise<number[]> {
  const { rollout, projectIds } = batch
  const tried = await attempt(queries, (inner) => bringUpToDate(inner, batch, quotas))
  if ('refusal' in tried && projectIds.length > 1) {
    await assertStill(queries, rollout)
    await split(queries, batch, projectIds.slice(Math.ceil(projectIds.length / 2)))
    return []
  }
  const [projectId] = projectIds as [number]
  const again = async (inner: Queries) => {
    await makeRoom(inner, rollout.board_id, projectId)
    return bringUpToDate(inner, { ...batch, rollout: { ...rollout, is_outdated: true } }, quotas)
  }
  const isRankTaken = 'refusal' in tried && codeOf(tried.refusal) === uniqueViolation
  const settled = isRankTaken ? await attempt(queries, again) : tried
  // The rollback released the project's lock; take it again before the rollout's row, as other batches do.
  if ('refusal' in settled) await queries.run('select lock_project($1)', [projectId])
  await assertStill(queries, rollout)
  if ('refusal' in settled) {
    const { refusal: error } = settled
    await writeRefusal(queries, batch, reasonOf(error))
    queries.afterCommit(() =>
      log?.warn({ rollout: rollout.id, projectId, error }, 'a project could not receive a rollout'),
    )
    return []
  }
  const { result } = settled
  if (result.busyIds.length > 0) await split(queries, batch, result.busyIds)
  await writeResult(queries, batch, result)
  return result.changedIds
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
async function assertStill({ sql }: Queries, { id, status }: Rollout): Promise<void> {
  const still = await sql`
    update rollouts set worked_at = now() where id = ${id} and status = ${status} returning id`
  if (still.length === 0) throw canceled
}

/**
 * Moves projects into a batch of their own: the busy ones, or half of them if one refuses. One of 500 that refuses costs about
 * 2 · log2(500) transactions.
 */
async function split(
  { sql }: Queries,
  { rollout, number, projectIds, planned }: Batch,
  second: readonly number[],
): Promise<void> {
  const first = projectIds.filter((id) => !second.includes(id))
  const plannedFor = (ids: readonly number[]) =>
    planned && JSON.stringify(Object.fromEntries(ids.map((id) => [id, planned[id]])))
  await sql`
    update rollout_batches set project_ids = ${first}::bigint[], planned = ${plannedFor(first)}::text::jsonb
    where rollout_id = ${rollout.id} and number = ${number}`
  await sql`
    insert into rollout_batches (rollout_id, number, project_ids, planned, stage)
    select ${rollout.id}, max(number) + 1, ${second as number[]}::bigint[], ${plannedFor(second)}::text::jsonb, min(stage) filter (where number = ${number})
    from rollout_batches where rollout_id = ${rollout.id}`
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
  /** Projects that others were changing, so that they received nothing yet. */
  busyIds: number[]
  changedIds: number[]
  noAccessIds: number[]
  /** Projects that have deleted their copy of the board. */
  optedOutIds: number[]
  /** Projects that receive something else than planned. */
  differsIds: number[]
  /** What the projects received that changed. */
  received: Record<string, Received>
}

async function bringUpToDate(queries: Queries, whole: Batch, quotas: Quotas): Promise<Result> {
  const changing = await changesOfBatch(queries, whole.projectIds)
  const projectIds = whole.projectIds.filter((id) => changing.versions.has(id))
  const batch = { ...whole, projectIds }
  const { rollout } = batch
  // Changing their products, deleting, restoring and archiving them takes the same lock, so that what is read here stays true.
  const open = await queries.sql<
    { id: number; has_copy: boolean; is_opted_out: boolean; is_refused: boolean }[]
  >`
    select p.id, copy.id is not null as has_copy, copy.deleted_at is not null as is_opted_out, refusal.project_id is not null as is_refused
    from master_boards m, projects p
    left join boards copy on copy.project_id = any(${projectIds}::bigint[]) and copy.project_id = p.id and copy.master_board_id = ${rollout.board_id}
    left join rollout_refusals refusal on refusal.project_id = any(${projectIds}::bigint[]) and refusal.project_id = p.id
      and refusal.master_board_id = ${rollout.board_id}
    where p.id = any(${projectIds}::bigint[]) and ${hasAccess(queries, rollout)}
    order by p.id`
  const ids = open.map(({ id }) => id)
  const counted = changesCopies(rollout.kind)
    ? ids
    : open.filter(({ has_copy, is_refused }) => !has_copy || is_refused).map(({ id }) => id)
  const differing = batch.planned
    ? await findDiffering(queries, batch, { ids, versions: changing.versions })
    : new Map<number, PlannedProject>()
  const applied = await keepingCoverage(
    queries,
    { projectIds: counted, boardId: rollout.board_id },
    async () => {
      const result = await changeCopies(queries, rollout, ids, { quotas, isPlanned: batch.planned !== null })
      const receivedIds = bringsTemplate(rollout.kind) ? ids : changedIn(result)
      await forgetRefusals(queries, rollout.board_id, receivedIds)
      return result
    },
  )
  await recordEvents(changing, eventsOf(batch, applied))
  const optedOut = isForAll(rollout.kind) ? [] : open.filter(({ is_opted_out }) => is_opted_out)
  return {
    busyIds: whole.projectIds.filter((id) => !changing.versions.has(id)),
    changedIds: changedIn(applied),
    noAccessIds: projectIds.filter((id) => !ids.includes(id)),
    optedOutIds: optedOut.map(({ id }) => id),
    differsIds: [...differing.keys()],
    received: withKept(receivedIn(applied), differing),
  }
}

/** After any other kind, a project that it did not change may still lack the template that it refused. */
const bringsTemplate = (kind: RolloutKind) => kind === 'board' || kind === 'card'

/** The others change only cards in a copy that is there, so that coverage stays the same. */
const changesCopies = (kind: RolloutKind) => kind === 'board' || kind === 'revert'

const changedIn = ({ changes }: Applied) => [...new Set(changes.map((change) => change.project_id))]

/** Whether a plan may be out of date although its project has not changed. */
const isOutdated = (outcome: PlannedProject['outcome'] | undefined) =>
  outcome === 'no_access' || outcome === 'failed'

/** Plans those again that may have changed since, and returns the projects whose plan is another one now, with it. */
async function findDiffering(
  queries: Queries,
  { rollout, planned, projectIds }: Batch,
  { ids, versions }: { ids: number[]; versions: ReadonlyMap<number, number> },
): Promise<Map<number, PlannedProject>> {
  const before = (id: number) => planned?.[id]
  const copies = await queries.sql<{ project_id: number; synced_revision: number }[]>`
    select project_id, synced_revision from boards where project_id = any(${ids}::bigint[]) and master_board_id = ${rollout.board_id}`
  const synced = new Map(copies.map((copy) => [copy.project_id, copy.synced_revision]))
  const isSame = (id: number) =>
    before(id)?.version === versions.get(id) && before(id)?.synced === (synced.get(id) ?? null)
  const isPlannedAnew = (id: number) => rollout.is_outdated || !isSame(id) || isOutdated(before(id)?.outcome)
  const changed = ids.filter(isPlannedAnew)
  const now = changed.length > 0 ? (await planProjects(queries, rollout, changed)).projects : {}
  const isOpen = new Set(ids)
  const differing = new Map<number, PlannedProject>()
  for (const id of projectIds) {
    const was = before(id)
    const is = isOpen.has(id) ? (now[id] ?? was) : noAccess
    if (was && is && (was.outcome !== is.outcome || was.fingerprint !== is.fingerprint)) differing.set(id, is)
  }
  return differing
}

async function writeResult(queries: Queries, { rollout, number, beganAt }: Batch, result: Result) {
  await queries.sql`
    update rollout_batches set changed_ids = ${result.changedIds}::bigint[], no_access_ids = ${result.noAccessIds}::bigint[],
      opted_out_ids = ${result.optedOutIds}::bigint[], differs_ids = ${result.differsIds}::bigint[],
      results = ${JSON.stringify(result.received, unlessNothing)}::text::jsonb, done_at = now(),
      milliseconds = ${Math.round(performance.now() - beganAt)}
    where rollout_id = ${rollout.id} and number = ${number}`
}

async function writeRefusal(
  queries: Queries,
  { rollout, number, projectIds, planned }: Batch,
  reason: Reason,
) {
  const [projectId] = projectIds as [number]
  const differs = planned !== null && planned[projectId]?.outcome !== 'failed'
  await queries.sql`
    update rollout_batches set failures = jsonb_build_object(${String(projectId)}::text, ${JSON.stringify(reason)}::text::jsonb), done_at = now(),
      differs_ids = ${differs ? projectIds : []}::bigint[]
    where rollout_id = ${rollout.id} and number = ${number}`
  const { board_id: boardId } = rollout
  await keepingCoverage(queries, { projectIds, boardId }, async () => {
    await rememberRefusal(queries, boardId, projectId)
    // All others have the card once the rollout is done.
    if (rollout.kind === 'card')
      await findLacking(queries, projectId, { boardIds: await copiedBoards(queries, projectId, boardId) })
  })
  if (rollout.stop_after_failures !== null) await pauseAfterFailures(queries, rollout.id)
}
