// Changes a project: writers take its lock one by one, their changes are recorded, and listeners are notified after the commit.
import { type Database, type Queries, retried, type Transaction, type Value } from '#database/connect.ts'

/** Not exported, so that only the functions of this file make what they promise. */
const isLocked = Symbol('locked')

/** A transaction that holds the project's lock; events can be recorded only in one (record.ts). */
export interface Change extends Transaction {
  readonly projectId: number
  readonly [isLocked]: true
}

/** Runs the work under the project's lock, so that everything it reads stays true until it commits. */
export function change<Result>(
  db: Database,
  projectId: number,
  work: (change: Change) => Promise<Result>,
): Promise<Result> {
  return db.transaction(async (queries) => {
    await queries.run('select lock_project($1)', [projectId])
    return work({ ...queries, projectId, [isLocked]: true })
  })
}

/** Runs one statement that locks and records by itself, such as a call of `create_card`: a transaction in one round trip. */
export async function changeAtOnce<Row extends object>(
  queries: Queries,
  projectId: number,
  statement: string,
  values: Value[],
): Promise<Row[]> {
  const rows = await retried(() => queries.run<Row>(statement, values))
  queries.announce(projectId)
  return rows
}

/** A transaction that holds the locks of several projects. */
export interface ManyChanges extends Queries {
  /** The version of each project, which grows with every recorded event. */
  readonly versions: Map<number, number>
  readonly [isLocked]: true
}

/** While it waits for a project that is busy, it keeps nobody from changing the others. */
export async function changesOfMany(queries: Queries, projectIds: readonly number[]): Promise<ManyChanges> {
  const rows = await queries.sql<{ project_id: number; version: number }[]>`
    select project_id, version from lock_projects(${projectIds as number[]}::bigint[])`
  return { ...queries, versions: new Map(rows.map((row) => [row.project_id, row.version])), [isLocked]: true }
}

/**
 * The same for a batch of a rollout, which holds some of its projects while it waits for others, in the order of their ids: rollouts of
 * one card took a sixth longer with `lock_projects`, whose locks are those of a subtransaction.
 */
export async function changesOfBatch(queries: Queries, projectIds: readonly number[]): Promise<ManyChanges> {
  const { sql } = queries
  const ids = projectIds as number[]
  const lock = () => sql<{ project_id: number; version: number }[]>`
    select project_id, version from project_versions where project_id = any(${ids}::bigint[])
    order by project_id for no key update`
  let rows = await lock()
  if (rows.length < ids.length) {
    await sql`
      insert into project_versions (project_id, version) select id, 0 from unnest(${ids}::bigint[]) id order by id
      on conflict (project_id) do nothing`
    rows = await lock()
  }
  return { ...queries, versions: new Map(rows.map((row) => [row.project_id, row.version])), [isLocked]: true }
}
