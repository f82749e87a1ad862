// Keeps how many projects have which copies of templates (`coverage_counts`), for coverage.ts. Code that changes the products of a project,
// deletes, restores or archives it, or changes its copies counts these before and after, under the project's lock.
import type { Queries } from '#database/connect.ts'

const key = 'platform_id, master_board_id, tool_keys, synced_revision, is_deleted, is_refused'

/** A row for each copy in the projects, and for each template that one refused and has no copy of. */
const countedCopies = (ofProject: string, ofBoard: string) => {
  const wanted = (table: string) =>
    `${ofProject.replace('?', `${table}.project_id`)} and ${ofBoard.replace('?', table)}`
  return `
    select p.platform_id, b.master_board_id, p.tool_keys, b.synced_revision, b.deleted_at is not null as is_deleted,
      refusal.project_id is not null as is_refused, 1::bigint as count
    from boards b join projects p on p.id = b.project_id and p.deleted_at is null and p.archived_at is null
    left join rollout_refusals refusal on refusal.project_id = b.project_id and refusal.master_board_id = b.master_board_id
    where b.master_board_id is not null and ${wanted('b')}
    union all
    select p.platform_id, refusal.master_board_id, p.tool_keys, null, false, true, 1
    from rollout_refusals refusal join projects p on p.id = refusal.project_id and p.deleted_at is null and p.archived_at is null
    where ${wanted('refusal')} and not exists (
      select from boards b where b.project_id = refusal.project_id and b.master_board_id = refusal.master_board_id
        and ${ofProject.replace('?', 'b.project_id')})`
}

/** The same, and a row for each project. */
const counted = (ofProject: string) => `
  select platform_id, null::bigint as master_board_id, tool_keys, null::integer as synced_revision, false as is_deleted,
    false as is_refused, 1::bigint as count
  from projects where kind = 'customer' and deleted_at is null and archived_at is null and ${ofProject.replace('?', 'id')}
  union all ${countedCopies(ofProject, 'true')}`

/** $1 the projects, and $2 a template if it is about one. */
const ofProjects = counted('? = any($1::bigint[])')
const ofTemplate = countedCopies('? = any($1::bigint[])', '?.master_board_id = $2::bigint')

const sums = (rows: string) =>
  `select ${key}, sum(count)::bigint as count from (${rows}) each_one group by ${key}`
const addStatement = (rows: string) =>
  `insert into coverage_counts (${key}, count) ${sums(rows)} having sum(count) <> 0`

/** What was counted before, as $3, is taken away. */
const difference = (rows: string) => `
  ${rows} union all select ${key}, -count from jsonb_to_recordset($3::text::jsonb) as before
    (platform_id bigint, master_board_id bigint, tool_keys jsonb, synced_revision integer, is_deleted boolean, is_refused boolean, count bigint)`

interface Changed {
  projectIds: readonly number[]
  /** Null if it changes more than copies of one template. */
  boardId: number | null
}

/** Runs work that changes these projects, which are locked, and keeps the counts. */
export async function keepingCoverage<Result>(
  queries: Queries,
  { projectIds, boardId }: Changed,
  work: () => Promise<Result>,
): Promise<Result> {
  if (projectIds.length === 0) return work()
  const ids = projectIds as number[]
  const rows = boardId === null ? `${ofProjects} and $2::bigint is null` : ofTemplate
  const before = await queries.run(sums(rows), [ids, boardId])
  const result = await work()
  await queries.run(addStatement(difference(rows)), [ids, boardId, JSON.stringify(before)])
  return result
}

/** Counts a project that was created in this transaction. */
export const countNewProject = (queries: Queries, projectId: number) =>
  queries.run(addStatement(ofProjects), [[projectId]])

/** Puts rows of the same key together, so that reading stays short; one statement, so readers see the same sums before and after it. */
export async function addUpCoverage(queries: Queries): Promise<void> {
  await queries.run(
    `with parts as (
       delete from coverage_counts where id in (
         select id from (select id, count(*) over (partition by ${key}) as parts from coverage_counts) each_one where parts > 1)
       returning ${key}, count
     )
     ${addStatement(`select ${key}, count from parts`)}`,
    [],
  )
}

/**
 * Corrects the counts, which should never differ. Both sides are read in one statement, so that a concurrent change is in both or in
 * neither.
 */
export async function recountCoverage(queries: Queries): Promise<void> {
  await queries.run(
    addStatement(`${counted('true')} union all select ${key}, -count from coverage_counts`),
    [],
  )
}
