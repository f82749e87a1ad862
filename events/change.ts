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

interface LockedProject {
  project_id: number
  version: number
}

const manyChanges = (queries: Queries, locked: readonly LockedProject[]): ManyChanges => ({
  ...queries,
  versions: new Map(locked.map((row) => [row.project_id, row.version])),
  [isLocked]: true,
})

/** Locks those of the projects that nobody else is changing, and waits for none. */
const lockFree = ({ sql }: Queries, projectIds: readonly number[]) => sql<LockedProject[]>`
  select project_id, version from project_versions where project_id = any(${projectIds as number[]}::bigint[])
  order by project_id for no key update skip locked`

/**
 * Runs the work under the locks of several projects. If nobody else is changing one of them, they are locked without a subtransaction,
 * which would make each change of a version cost more.
 */
export async function changeMany<Result>(
  db: Database,
  projectIds: readonly number[],
  work: (changes: ManyChanges) => Promise<Result>,
): Promise<Result> {
  const done = await db.transaction(async (queries) => {
    const locked = await lockFree(queries, projectIds)
    // With the end of this transaction its locks are released.
    if (locked.length < projectIds.length) return undefined
    return { result: await work(manyChanges(queries, locked)) }
  })
  if (done) return done.result
  return db.transaction(async (queries) => work(await changesOfMany(queries, projectIds)))
}

/** While it waits for a project that is busy, it keeps nobody from changing the others. */
export async function changesOfMany(queries: Queries, projectIds: readonly number[]): Promise<ManyChanges> {
  const locked = await queries.sql<LockedProject[]>`
    select project_id, version from lock_projects(${projectIds as number[]}::bigint[])`
  return manyChanges(queries, locked)
}

/**
 * Locks the projects of a rollout's batch that nobody else is changing; the others are missing in `versions`. It waits for a project only
 * while it holds no other one: rollouts of one card took a sixth longer with `lock_projects`, whose locks are those of a subtransaction.
 */
export async function changesOfBatch(queries: Queries, projectIds: readonly number[]): Promise<ManyChanges> {
  let locked = await lockFree(queries, projectIds)
  if (locked.length === 0) {
    await queries.sql`
      insert into project_versions (project_id, version) select id, 0 from unnest(${projectIds as number[]}::bigint[]) id order by id
      on conflict (project_id) do nothing`
    locked = await lockFree(queries, projectIds)
  }
  if (locked.length === 0) {
    await queries.run('select lock_project($1)', [projectIds[0] as number])
    locked = await lockFree(queries, projectIds)
  }
  return manyChanges(queries, locked)
}
