import type { Queries } from './connect.ts'

/**
 * For the rest of the transaction rows are found by their keys, one after the other. Left to itself PostgreSQL reads whole tables
 * where it has no statistics, or those of a younger database.
 */
export async function findByKeys({ sql }: Queries): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
      ('enable_seqscan', 'off'), ('work_mem', '32MB')) setting (name, value)`
}
