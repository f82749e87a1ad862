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

export interface FleetPage {
  /** The id of the last project of the page before. */
  after: number | null
  limit: number
  /** How many projects match; null for all of the fleet. */
  matching: number | null
  /** All that match, if they are known. */
  found: readonly number[] | undefined
}

/** In the order of an index PostgreSQL reads nearly all projects to find a page of as few as these, which takes many times as long. */
const fewMatching = 1000

/** One page; undefined if the project it follows is no longer among them. */
export async function listFleet(
  queries: Queries,
  fleet: Fleet,
  filter: Filter,
  { by, isDescending }: Order,
  { after, limit, matching, found }: FleetPage,
): Promise<ProjectInFleet[] | undefined> {
  const { values, given } = listValues()
  const conditions = found
    ? [`f.project_id = any(${given(found as number[])}::bigint[])`]
    : conditionsOf(fleet, filter, given)
  const column = columns[by]
  if (after !== null) {
    const [last] = await queries.run(`select from project_figures where project_id = $1`, [after])
    if (!last) return undefined
    conditions.push(
      `(f.${column}, f.project_id) ${isDescending ? '<' : '>'} (
        select last.${column}, last.project_id from project_figures last where last.project_id = ${given(after)})`,
    )
  }
  const direction = isDescending ? 'desc' : 'asc'
  const order = `f.${column} ${direction}, f.project_id ${direction}`
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
  return found.length > fewMatching ? undefined : found.map(({ project_id: id }) => id)
}

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
  const conditions = conditionsOf({ platformId, isDeleted: false }, filter, given)
  // The figures may not know yet that a project was deleted.
  const rows = await queries.run<{ id: number }>(
    `select p.id from project_figures f join projects p on p.id = f.project_id and p.deleted_at is null
     where ${conditions.join(' and ')} order by p.id`,
    values,
  )
  return rows.map(({ id }) => id)
}

function listValues() {
  const values: Value[] = []
  return { values, given: (value: Value) => `$${values.push(value)}` }
}
