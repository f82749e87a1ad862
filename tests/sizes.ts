import assert from 'node:assert/strict'
import type { Queries } from '#database/connect.ts'

/** Asserts that the stored sizes of boards and groups are right. */
export async function assertSizesTrue({ sql }: Queries) {
  const sums = sql`project_id, board_id, sum(cards) as cards, sum(groups) as groups, sum(bytes) as bytes,
    sum(comment_bytes) as comment_bytes`
  const noted =
    await sql`select ${sums} from board_sizes group by project_id, board_id order by project_id, board_id`
  const counted = await sql`
    select ${sums} from counted_sizes(null) group by project_id, board_id order by project_id, board_id`
  assert.deepEqual([...noted], [...counted])
  const off = await sql`
    select group_id from group_sizes s where (cards, last_order) <> (
      select count(*), greatest(max(c.sort_order), s.last_order) from cards c
      where c.project_id = s.project_id and c.group_id = s.group_id and c.deleted_at is null)`
  assert.deepEqual([...off], [])
}
