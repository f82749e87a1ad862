// The list of all projects: searched, filtered, sorted and paged over the kept figures (figures.ts).
import type { Queries, Value } from '#database/connect.ts'
import { readAudience } from './audience.ts'
import { conditionsOf, type Filter, type Fleet } from './filter.ts'
import { type ProjectInFleet, projectColumns } from './project.ts'

/** What the list can be sorted by, and the column of each. */
const columns = {
  name: 'name_key',
  created: 'created_at',
  activity: 'active_at',
  progress: 'progress',
} as const

export const orders = [
  'name',
  'created',
  'activity',
  'progress',
] as const satisfies readonly (keyof typeof columns)[]

export interface Order {
  by: (typeof orders)[number]
  isDescending: boolean
}

function orderBy({ by, isDescending }: Order): string {
  const direction = isDescending ? 'desc' : 'asc'
  return `f.${columns[by]} ${direction}, f.project_id ${direction}`
}

interface FleetPage {
  /** The id of the last project of the page before. */
  after: number | null
  limit: number
  /** How many projects match; null for all of the fleet. */
  matching: number | null
  /** All that match or those of the first page, if they are known. */
  found: readonly number[] | undefined
}

/** In the order of an index PostgreSQL reads nearly all projects to find a page of as few as these, which takes many times as long. */
const fewMatching = 1000

/** One page; undefined if the project it follows is no longer among them. */
export async function listFleet(
  queries: Queries,
  fleet: Fleet,
  filter: Filter,
  sorting: Order,
  { after, limit, matching, found }: FleetPage,
): Promise<ProjectInFleet[] | undefined> {
  const { values, given } = listValues()
  const conditions = found
    ? [`f.project_id = any(${given(found as number[])}::bigint[])`]
    : conditionsOf(fleet, filter, given)
  const column = columns[sorting.by]
  if (after !== null) {
    const [last] = await queries.run(`select from project_figures where project_id = $1`, [after])
    if (!last) return undefined
    conditions.push(
      `(f.${column}, f.project_id) ${sorting.isDescending ? '<' : '>'} (
        select last.${column}, last.project_id from project_figures last where last.project_id = ${given(after)})`,
    )
  }
  const order = orderBy(sorting)
  const sortsLast = matching === null || matching > fewMatching ? '' : 'offset 0'
  return queries.run<ProjectInFleet>(
    `select ${projectColumns} from (
       select f.* from (select f.* from project_figures f where ${conditions.join(' and ')} ${sortsLast}) f order by ${order} limit ${given(limit)}
     ) f join projects p on p.id = f.project_id order by ${order}`,
    values,
  )
}

/** The ids of all that match a search, unless there are many; reading every name and label twice, to count and to list, would take twice as long. */
export async function findFew(queries: Queries, fleet: Fleet, filter: Filter): Promise<number[] | undefined> {
  if (filter.query == null) return undefined
  const { values, given } = listValues()
  const found = await queries.run<{ project_id: number }>(
    `select f.project_id from project_figures f where ${conditionsOf(fleet, filter, given).join(' and ')} limit ${fewMatching + 1}`,
    values,
  )
  return found.length > fewMatching ? undefined : idsOf(found)
}

/** The first page of a search that finds many is usually among so few. */
const usuallyEnough = 5000

/**
 * The first page of a search that finds many, and how many. The page is looked for among the first projects in the order of an index, because
 * sorting all that are found takes nearly as long as finding them. If it is not among these, all projects are read once for both: in the order of the
 * index that would take longer still.
 */
export async function findMany(
  queries: Queries,
  fleet: Fleet,
  filter: Filter,
  order: Order,
  limit: number,
  lookedThrough = usuallyEnough,
): Promise<{ ids: number[]; count: number }> {
  const { values, given } = listValues()
  const conditions = conditionsOf(fleet, filter, given).join(' and ')
  const page = `order by ${orderBy(order)} limit ${given(limit)}`
  const early = await queries.run<{ project_id: number }>(
    `select f.project_id from (select f.* from project_figures f order by ${orderBy(order)} limit ${given(lookedThrough)}) f
     where ${conditions} ${page}`,
    values,
  )
  if (early.length === limit) return { ids: idsOf(early), count: await countFleet(queries, fleet, filter) }
  const rows = await queries.run<{ project_id: number; count: number }>(
    `select f.project_id, count(*) over () as count from project_figures f where ${conditions} ${page}`,
    values.slice(0, -1),
  )
  return { ids: idsOf(rows), count: rows[0]?.count ?? 0 }
}

const idsOf = (rows: readonly { project_id: number }[]) => rows.map(({ project_id: id }) => id)

export async function countFleet(queries: Queries, fleet: Fleet, filter: Filter): Promise<number> {
  const { values, given } = listValues()
  const [counted] = await queries.run<{ count: number }>(
    `select count(*) from project_figures f where ${conditionsOf(fleet, filter, given).join(' and ')}`,
    values,
  )
  return counted?.count as number
}

interface Matching {
  name: string
  projectIds: number[]
}

/** The projects of an audience at this moment; the template has to be of the same platform. */
export async function listAudienceProjects(
  queries: Queries,
  { audienceId, boardId }: { audienceId: number; boardId: number },
): Promise<Matching | 'no audience'> {
  const audience = await readAudience(queries, audienceId)
  const platformId = await platformOf(queries, boardId)
  if (!audience || audience.platform_id !== platformId) return 'no audience'
  return { name: audience.name, projectIds: await listMatching(queries, platformId, audience) }
}

/** The projects of the template's platform that match one of the filters at this moment. */
export async function listFilteredProjects(
  queries: Queries,
  { filters, boardId }: { filters: readonly Filter[]; boardId: number },
): Promise<number[]> {
  const platformId = await platformOf(queries, boardId)
  if (platformId === undefined) return []
  const lists: number[][] = []
  for (const filter of filters) lists.push(await listMatching(queries, platformId, filter))
  return lists.flat()
}

async function platformOf({ sql }: Queries, boardId: number): Promise<number | undefined> {
  const [template] = await sql<
    { platform_id: number }[]
  >`select platform_id from master_boards where id = ${boardId}`
  return template?.platform_id
}

async function listMatching(queries: Queries, platformId: number, filter: Filter): Promise<number[]> {
  const { values, given } = listValues()
  const conditions = conditionsOf({ platformId, isDeleted: false, isArchived: false }, filter, given)
  // The figures may not know yet that a project was deleted or archived.
  const rows = await queries.run<{ id: number }>(
    `select p.id from project_figures f join projects p on p.id = f.project_id and p.deleted_at is null and p.archived_at is null
     where ${conditions.join(' and ')} order by p.id`,
    values,
  )
  return rows.map(({ id }) => id)
}

function listValues() {
  const values: Value[] = []
  return { values, given: (value: Value) => `$${values.push(value)}` }
}
