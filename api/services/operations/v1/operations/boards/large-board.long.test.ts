// The largest boards that can be written, sent in parts.
import assert from 'node:assert/strict'
import test from 'node:test'
import { usualQuotas } from '#quotas/quotas.ts'
import { createBoard, fetchBoard } from '#tests/board.ts'
import { inV1 } from '#tests/in-v1.ts'
import { startTestService } from '#tests/service.ts'

const area = '/services/operations/v1/operations'
const service = await startTestService()

const worst = ['"', '\\', 'ü', '\n', '\t', '😀', '漢', 'x']

test('200: the largest board that can be written stays below 32 MB in v1 and v2, and both say the same', async () => {
  const { member, members, boardId, groupIds, projectId } = await createBoard(service)
  await service.db.sql`
    insert into tags (project_id, name, color, icon)
    select ${projectId}, repeat('"', 255), repeat('"', 50), repeat('"', 100) from generate_series(1, ${usualQuotas.tagsPerProject}::int)`
  let cards = 0
  let refusal: string | undefined
  while (refusal === undefined) {
    const group_id = groupIds[cards % 3] as number
    const { card } = await member.call(`${area}/cards/create`, { title: 'Long', group_id })
    const letter = worst[cards % worst.length] as string
    const short_description = `.${letter.repeat(65_533)}.`
    const filled = await member.attempt(`${area}/cards/update`, { id: card.id, short_description })
    cards++
    if (!filled.ok) refusal = filled.errors['short_description']?.[0] ?? ''
  }
  assert.match(refusal, /^A board can hold at most 30 MB\./)
  const v1 = await fetchBoard(service, members.viewer.token, boardId, 'v1')
  const v2 = await fetchBoard(service, members.viewer.token, boardId, 'v2')
  for (const { response, length } of [v1, v2]) {
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('transfer-encoding'), 'chunked')
    assert.ok(length < 32_000_000, `${length} bytes`)
  }
  assert.ok(v1.length > 25_000_000, `${v1.length} bytes are not the largest`)
  const board = JSON.parse(v1.data.board)
  assert.deepEqual(board, inV1(v2.data.board))
  assert.equal(v2.data.board.groups[0].cards[0].description_format, 'text')
  assert.equal(board.groups.flatMap((group: { cards: unknown[] }) => group.cards).length, cards)
  assert.equal(board.tags.length, usualQuotas.tagsPerProject)
})

test('200: a large board that is replaced while it is sent arrives whole, as it was', async () => {
  const { member, members, boardId, groupIds } = await createBoard(service)
  const group_id = groupIds[0] as number
  const { card: first } = await member.call(`${area}/cards/create`, { title: 'Before', group_id })
  for (let number = 0; number < 120; number++) {
    const { card } = await member.call(`${area}/cards/create`, { title: `Card ${number}`, group_id })
    await member.call(`${area}/cards/update`, { id: card.id, short_description: 'x'.repeat(65_000) })
  }
  for (const version of ['v1', 'v2'] as const) {
    await member.call(`${area}/cards/update`, { id: first.id, title: 'Before' })
    const response = await service.fetch(`${area}/boards/get`.replace('/v1/', `/${version}/`), {
      method: 'POST',
      headers: { authorization: `Bearer ${members.viewer.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ id: boardId }),
    })
    await member.call(`${area}/cards/update`, { id: first.id, title: `After ${version}` })
    const later = await fetchBoard(service, members.admin.token, boardId, 'v2')
    assert.equal(later.data.board.groups[0].cards[0].title, `After ${version}`)
    const { board } = JSON.parse(await response.text()).data
    const { cards } = (version === 'v1' ? JSON.parse(board) : board).groups[0]
    assert.deepEqual([cards.length, cards[0].title], [121, 'Before'])
  }
})
