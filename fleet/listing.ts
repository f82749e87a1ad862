// The list of all projects: searched, filtered, sorted and paged over the kept figures (figures.ts).
import type { Queries, Value } from '#database/connect.ts'
import { type ProjectInFleet, projectColumns, type subscriptionStatuses } from './project.ts'

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

export interface Filter {
  /** Null for all platforms. */
  platformId: number | null
  /** Part of the name or of a label, the id, or the beginning of a member's address or of its domain. */
  query: string | null
  product: string | null
  plan: string | null
  status: (typeof subscriptionStatuses)[number] | null
  label: string | null
  themeVersionId: number | null
  createdFrom: string | null
  createdUntil: string | null
  activeFrom: string | null
  activeUntil: string | null
  isDeleted: boolean
}

export interface Order {
  by: (typeof orders)[number]
  isDescending: boolean
}

export interface FleetPage {
  /** The id of the last project of the page before. */
  after: number | null
  limit: number
}

/** One page; undefined if the project it follows is no longer among them. */
export async function listFleet(
  queries: Queries,
  filter: Filter,
  { by, isDescending }: Order,
  { after, limit }: FleetPage,
): Promise<ProjectInFleet[] | undefined> {
  const { values, given } = listValues()
  const conditions = conditionsOf(filter, given)
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
  return queries.run<ProjectInFleet>(
    `select ${projectColumns} from (
       select f.* from project_figures f where ${conditions.join(' and ')} order by ${order} limit ${given(limit)}
     ) f join projects p on p.id = f.project_id order by ${order}`,
    values,
  )
}

export async function countFleet(queries: Queries, filter: Filter): Promise<number> {
  const { values, given } = listValues()
  const [counted] = await queries.run<{ count: number }>(
    `select count(*) from project_figures f where ${conditionsOf(filter, given).join(' and ')}`,
    values,
  )
  return counted?.count as number
}

function listValues() {
  const values: Value[] = []
  return { values, given: (value: Value) => `$${values.push(value)}` }
}

/** Only the conditions that are asked for, so that each combination has its own plan. */
function conditionsOf(filter: Filter, given: (value: Value) => string): string[] {
  const { platformId, query, product, plan, status, label, themeVersionId, isDeleted } = filter
  const { createdFrom, createdUntil, activeFrom, activeUntil } = filter
  return [
    `f.deleted_at is ${isDeleted ? 'not null' : 'null'}`,
    platformId !== null && `f.platform_id = ${given(platformId)}`,
    query !== null && matches(query, given),
    product !== null && `f.tool_keys @> array[${given(product)}::text]`,
    plan !== null && `f.plans @> array[${given(plan)}::text]`,
    status !== null && `f.subscription_statuses @> array[${given(status)}::text]`,
    label !== null && `f.labels @> array[${given(label.toLowerCase())}::text]`,
    themeVersionId !== null && `f.theme_version_id = ${given(themeVersionId)}`,
    createdFrom !== null && `f.created_at >= ${given(createdFrom)}::text::timestamptz`,
    createdUntil !== null && `f.created_at < ${given(createdUntil)}::text::timestamptz`,
    activeFrom !== null && `f.active_at >= ${given(activeFrom)}::text::timestamptz`,
    activeUntil !== null && `f.active_at < ${given(activeUntil)}::text::timestamptz`,
  ].filter((condition) => condition !== false)
}

/** An address is looked for in the index of addresses, everything else in the names and labels. */
function matches(query: string, given: (value: Value) => string): string {
  const text = query.toLowerCase()
  const domain = /^@(.+)$/.exec(text)?.[1]
  const address = domain === undefined ? 'lower(u.email)' : `split_part(lower(u.email), '@', 2)`
  const prefix = `${(domain ?? text).replaceAll(/[\\%_]/g, '\\$&')}%`
  const ways = [
    `position(${given(text)} in f.searched) > 0`,
    `f.project_id in (
      select member.project_id from memberships member join users u on u.id = member.user_id where ${address} like ${given(prefix)})`,
    ...(/^\d{1,15}$/.test(text) ? [`f.project_id = ${given(Number(text))}`] : []),
  ]
  return `(${ways.join(' or ')})`
}
