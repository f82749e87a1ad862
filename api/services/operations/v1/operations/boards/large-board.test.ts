// Boards too large for one string, with the text that grows most on its way; large-board.long.test.ts has the largest ones.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard, fetchBoard } from '#tests/board.ts'
import { fc } from '#tests/random.ts'
import { startTestService } from '#tests/service.ts'

const area = '/services/operations/v1/operations'
const service = await startTestService()

const worst = ['"', '\\', 'ü', '\n', '\t', '😀', '漢', 'x']

test('a row is never sent with more bytes than are counted for it', async () => {
  const { member, members, boardId, groupIds, cardIds } = await createBoard(service, { cards: 1 })
  const text = fc.array(fc.constantFrom(...worst), { maxLength: 60 }).map((letters) => letters.join(''))
  await fc.assert(
    fc.asyncProperty(text, text, async (title, words) => {
      await member.call(`${area}/cards/update`, {
        id: cardIds[0] as number,
        title: `t${title}`,
        short_description: words,
        status: `s${words.slice(0, 40).toWellFormed().replaceAll('\ufffd', '')}`,
      })
      await member.call(`${area}/groups/update`, {
        id: groupIds[0] as number,
        title: `t${title}`,
        icon: words,
      })
      const [row] = await service.db.sql<{ bytes: number }[]>`
        select sum(bytes)::bigint as bytes from board_sizes where board_id = ${boardId}`
      const { length } = await fetchBoard(service, members.viewer.token, boardId, 'v1')
      assert.ok(length <= (row?.bytes as number) + 100, `${length} of ${row?.bytes}`)
    }),
    { numRuns: 30 },
  )
})

test('200: concurrent readers of a large board get the same, and after a change the new state', async () => {
  const { member, members, boardId, groupIds } = await createBoard(service)
  const group_id = groupIds[1] as number
  const { card: first } = await member.call(`${area}/cards/create`, { title: 'First', group_id })
  for (let number = 0; number < 20; number++) {
    const { card } = await member.call(`${area}/cards/create`, { title: `Card ${number}`, group_id })
    await member.call(`${area}/cards/update`, { id: card.id, short_description: '"'.repeat(65_000) })
  }
  const titles = async () => {
    const { response, data } = await fetchBoard(service, members.viewer.token, boardId, 'v2')
    assert.equal(response.headers.get('transfer-encoding'), 'chunked')
    return data.board.groups.map(({ cards }: { cards: { title: string }[] }) =>
      cards.map(({ title }) => title),
    )
  }
  const [one, ...others] = await Promise.all(Array.from({ length: 8 }, titles))
  assert.equal(one[1].length, 21)
  for (const other of others) assert.deepEqual(other, one)
  await member.call(`${area}/cards/update`, { id: first.id, title: 'Changed' })
  assert.equal((await titles())[1][0], 'Changed')
  await member.call(`${area}/groups/update`, { id: groupIds[2] as number, position: 1 })
  assert.equal((await titles())[2].length, 21)
})
