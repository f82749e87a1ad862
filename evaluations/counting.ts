// Counts in how many projects each template card passes its check, so that the page of a template need not look into the projects.
import type { Queries } from '#database/connect.ts'

/** Projects in different slots do not wait for each other (migration 0022). */
const slots = 64

interface NewResult {
  project_id: number
  master_card_id: number | null
  had_passed: boolean | null
  has_passed: boolean
}

/** Adds new results and takes away the ones they replace, in the order of their keys, so that concurrent reports cannot deadlock. */
export async function countResults({ sql }: Queries, results: readonly NewResult[]): Promise<void> {
  const counts = new Map<string, { master_card_id: number; slot: number; passed: number; failed: number }>()
  for (const { project_id, master_card_id, had_passed, has_passed } of results) {
    if (master_card_id === null || had_passed === has_passed) continue
    const slot = project_id % slots
    const key = `${master_card_id} ${slot}`
    const count = counts.get(key) ?? { master_card_id, slot, passed: 0, failed: 0 }
    counts.set(key, count)
    count.passed += Number(has_passed) - Number(had_passed === true)
    count.failed += Number(!has_passed) - Number(had_passed === false)
  }
  if (counts.size === 0) return
  await sql`
    insert into evaluation_counts as present (master_card_id, slot, passed, failed)
    select master_card_id, slot, passed, failed from jsonb_to_recordset(${JSON.stringify([...counts.values()])}::text::jsonb)
      as news (master_card_id bigint, slot smallint, passed bigint, failed bigint)
    order by master_card_id, slot
    on conflict (master_card_id, slot) do update set passed = present.passed + excluded.passed,
      failed = present.failed + excluded.failed`
}

/** `c` is the master card. */
export const countColumns = `
  (select coalesce(sum(passed), 0)::bigint from evaluation_counts where master_card_id = c.id) as passed_count,
  (select coalesce(sum(failed), 0)::bigint from evaluation_counts where master_card_id = c.id) as failed_count`

/**
 * Corrects the counts where cards with a result were deleted or restored, or got another check. Both sides are read in one statement,
 * so that a concurrent report is in both or in neither, and the difference is added.
 */
export async function recountEvaluations(
  { sql }: Queries,
  { signal }: { signal: AbortSignal },
): Promise<void> {
  for (let slot = 0; slot < slots; slot++) {
    signal.throwIfAborted()
    const projects = await sql<{ id: number }[]>`
      select id from projects where id % ${slots}::integer = ${slot} and deleted_at is null and archived_at is null
        and kind = 'customer'`
    const ids = projects.map(({ id }) => id)
    await sql`
      insert into evaluation_counts as present (master_card_id, slot, passed, failed)
      select master_card_id, ${slot}::integer, sum(passed), sum(failed) from (
        select master_card_id, count(*) filter (where evaluation_passed) as passed,
          count(*) filter (where not evaluation_passed) as failed
        from cards where project_id = any(${ids}::bigint[]) and evaluation_check is not null and deleted_at is null
          and evaluated_check = evaluation_check and master_card_id is not null
        group by master_card_id
        union all select master_card_id, -passed, -failed from evaluation_counts where slot = ${slot}::integer
      ) both_sides group by master_card_id having sum(passed) <> 0 or sum(failed) <> 0 order by master_card_id
      on conflict (master_card_id, slot) do update set passed = present.passed + excluded.passed,
        failed = present.failed + excluded.failed`
  }
}
