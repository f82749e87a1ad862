import assert from 'node:assert/strict'
import type { Queries } from '#database/connect.ts'

/** Asserts that the stored size of every board is right. */
export async function assertSizesTrue({ sql }: Queries) {
  const sums = sql`project_id, board_id, sum(cards) as cards, sum(groups) as groups, sum(bytes) as bytes,
    sum(comment_bytes) as comment_bytes`
  const noted =
    await sql`select ${sums} from board_sizes group by project_id, board_id order by project_id, board_id`
  const counted = await sql`
    select ${sums} from counted_sizes(null) group by project_id, board_id order by project_id, board_id`
  assert.deepEqual([...noted], [...counted])
}
