import type { Database, Transaction } from '#database/connect.ts'

/** Counts the rows that PostgreSQL reads for some work, in one transaction. */
export const readsOf = (
  db: Database,
  tables: readonly string[],
  work: (queries: Transaction) => Promise<unknown>,
): Promise<number> =>
  db.transaction(async (queries) => {
    const reads = async () => {
      const [row] = await queries.sql<{ count: number }[]>`
        select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint as count
        from pg_stat_xact_user_tables where relname in ${queries.sql(tables as string[])}`
      return row?.count as number
    }
    const before = await reads()
    await work(queries)
    return (await reads()) - before
  })
