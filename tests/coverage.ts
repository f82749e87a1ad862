import assert from 'node:assert/strict'
import { recountCoverage } from '#coverage/counts.ts'
import type { Queries } from '#database/connect.ts'

/** Asserts that the kept counts of projects and of copies of templates are right. */
export async function assertCoverageTrue(queries: Queries) {
  const [last] = await queries.sql<{ id: number | null }[]>`select max(id) as id from coverage_counts`
  await recountCoverage(queries)
  const corrections = await queries.sql`select * from coverage_counts where id > ${last?.id ?? 0}`
  assert.deepEqual([...corrections], [])
}
