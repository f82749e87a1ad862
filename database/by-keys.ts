import type { Queries } from './connect.ts'

/**
 * Makes PostgreSQL find rows by their keys for the rest of the transaction. Otherwise it reads whole tables when its statistics
 * are missing or date from a smaller database.
 */
export async function findByKeys({ sql }: Queries): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values ('enable_hashjoin', 'off'), ('enable_nestloop', 'on'), ('enable_mergejoin', 'off'),
      ('enable_seqscan', 'off'), ('work_mem', '32MB')) setting (name, value)`
}

/**
 * The same for statements that find rows by lists of keys and join them with values of the request. PostgreSQL would otherwise look up
 * row by row, and compare each with the whole list: 0.5 s for 1,000 cards instead of 0.03 s.
 */
export async function joinByHash({ sql }: Queries): Promise<void> {
  await sql`
    select set_config(name, 'off', true)
    from (values ('enable_nestloop'), ('enable_mergejoin'), ('enable_seqscan')) setting (name)`
}

/** The same for statements that read everything of a list of projects and join it. `findByKeys` goes back. */
export async function findByLists({ sql }: Queries): Promise<void> {
  await sql`
    select set_config(name, value, true) from (values ('enable_hashjoin', 'on'), ('enable_nestloop', 'off'), ('enable_mergejoin', 'off'),
      ('enable_seqscan', 'off'), ('jit', 'off'), ('work_mem', '32MB')) setting (name, value)`
}

/**
 * At the end of a subquery that looks a row up by its key. What is asked of the row outside does not reach the subquery; otherwise PostgreSQL reads
 * an index of all rows that meet it, such as of all projects that are not deleted, until it has counted them.
 */
export const byKeyAlone = 'offset 0'
