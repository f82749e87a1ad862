import type { Queries } from '#database/connect.ts'
import { type CopiedTable, columnsOf, quoted } from '#database/copy.ts'
import { StartFailure } from '#start-failure.ts'
import { tablesOf } from './snapshot.ts'

/** Refuses if a table of the copy has other rows than the original. */
export async function requireSame(
  original: Queries,
  copy: Queries,
  onProgress: (fraction: number) => void,
): Promise<void> {
  const tables = await tablesOf(original)
  for (const [index, table] of tables.entries()) {
    const [here, there] = await Promise.all([sumOf(original, table), sumOf(copy, table)])
    if (here.rows !== there.rows || here.sum !== there.sum)
      throw new StartFailure(
        `The copy of ${table.name} differs: ${here.rows} rows with the checksum ${here.sum} here, ${there.rows} with ${there.sum} there. Nothing was changed.`,
      )
    onProgress((index + 1) / tables.length)
  }
}

interface Sum {
  rows: number
  sum: string
}

/** The same for the same rows in any order, on every version and locale of PostgreSQL. Computed columns may differ by locale and are left out. */
async function sumOf({ sql }: Queries, table: CopiedTable): Promise<Sum> {
  const [found] = await sql.unsafe<Sum[]>(`
    select count(*) as rows,
      coalesce(sum(('x' || encode(substr(sha256(convert_to(r::text, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint), 0)::text as sum
    from (select ${columnsOf(table)} from ${quoted(table.name)}) r`)
  return found as Sum
}
