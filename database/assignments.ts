import type postgres from 'postgres'
import type { Queries } from './connect.ts'

/** What a column can be set to. */
export type ColumnValue = string | number | boolean | null

/** A part of a statement. */
export type Fragment = postgres.Fragment

/** `title = $1, updated_at = now()` for an update: columns with their values, or with what the database computes. */
export const assignments = (
  { sql }: Pick<Queries, 'sql'>,
  columns: Readonly<Record<string, ColumnValue | Fragment>>,
): Fragment[] =>
  Object.entries(columns).map(
    ([name, value], index) => sql`${index > 0 ? sql`,` : sql``} ${sql(name)} = ${value}`,
  )
