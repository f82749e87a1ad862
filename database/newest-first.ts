import type { Value } from './connect.ts'

interface Wanted {
  /** Null for all platforms. */
  platformId: number | null
  /** The id of the last row of the page before. */
  before: number | null
  limit: number
  /** What columns must be; null for anything. */
  equal: Readonly<Record<string, Value>>
  /** Another condition, without values. */
  where?: string | undefined
}

/**
 * The end of a statement that lists one page of a table, newest first. Only the conditions that are asked for, so that each combination
 * has its own plan. A platform is a range, in the order of its index: told that it is one value, PostgreSQL may prefer to walk through
 * the rows of all platforms, which are in the same order.
 */
export function newestFirst(table: string, { platformId, before, limit, equal, where: other }: Wanted) {
  const values: Value[] = []
  const given = (value: Value) => `$${values.push(value)}`
  const conditions = Object.entries(equal).flatMap(([column, value]) =>
    value === null ? [] : [`${table}.${column} = ${given(value)}`],
  )
  if (other !== undefined) conditions.push(other)
  const [platform, id] = [`${table}.platform_id`, `${table}.id`]
  if (platformId !== null) {
    const wanted = given(platformId)
    const end =
      before === null ? `${platform} <= ${wanted}` : `(${platform}, ${id}) < (${wanted}, ${given(before)})`
    conditions.push(`${platform} >= ${wanted}`, end)
  } else if (before !== null) conditions.push(`${id} < ${given(before)}`)
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')} `
  const order = platformId === null ? `${id} desc` : `${platform} desc, ${id} desc`
  return { end: `${where}order by ${order} limit ${given(limit)}`, values }
}
