import type { Queries } from './connect.ts'

/**
 * Makes PostgreSQL find rows by their keys for the rest of the transaction. Otherwise it reads whole tables when its statistics
 * are missing or date from a smaller database.
 */
export async function findByKeys({ sql }: Queries): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'),
      ('enable_seqscan', 'off'), ('work_mem', '32MB')) setting (name, value)`
}
