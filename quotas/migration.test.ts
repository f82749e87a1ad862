// Sizes that were never stored, as in a database from before the limits.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'

const area = '/services/operations/v1/operations'
const service = await startTestService()
const { sql } = service.db

/** Counts as the migration that introduced the limits did. */
async function countAgain() {
  await sql`truncate board_sizes`
  await sql`insert into board_sizes select * from counted_sizes(null)`
}

const sizes = async () => [
  ...(await sql`
    select board_id, sum(cards) as cards, sum(groups) as groups, sum(bytes) as bytes, sum(comment_bytes) as comment_bytes
    from board_sizes group by board_id order by board_id`),
]

test('existing rows are counted as if they had been written under the limits', async () => {
  const first = await createBoard(service, { cards: 3 })
  const second = await createBoard(service, { cards: 2 })
  const card_id = first.cardIds[0] as number
  await first.member.call(`${area}/comments/create`, { card_id, comment: 'Ünicode' })
  await first.member.call(`${area}/cards/update`, { id: card_id, description: 'A "quoted" word' })
  await first.admin.call(`${area}/cards/delete`, { id: first.cardIds[1] as number })
  await second.admin.call(`${area}/groups/delete`, { id: second.groupIds[2] as number })
  const { board } = await first.admin.call(`${area}/boards/create`, { title: 'Deleted' })
  await first.admin.call(`${area}/boards/delete`, { id: board.id })
  const noted = await sizes()
  assert.deepEqual(
    noted.map(({ cards, groups, comment_bytes: said }) => [cards, groups, said].map(Number)),
    [
      [2, 3, 8],
      [2, 2, 0],
    ],
  )
  await countAgain()
  assert.deepEqual(await sizes(), noted)
  const moved = { id: card_id, group_id: first.groupIds[1] as number }
  assert.equal((await first.member.call(`${area}/cards/move`, moved)).card.group_id, moved.group_id)
})
