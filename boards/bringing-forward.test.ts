// A board that is brought forward again and again is the one that another instance reads anew, in both versions of the API.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createBoard } from '#tests/board.ts'
import { effort } from '#tests/effort.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService, type TestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const other = await startTestService({}, service.address)
const { projectId, boardId, groupIds, cardIds, admin, member, members } = await createBoard(service, {
  cards: 6,
})

async function read(from: TestService, version: 'v1' | 'v2') {
  const response = await from.fetch(`/services/operations/${version}/operations/boards/get`, {
    method: 'POST',
    headers: { authorization: `Bearer ${members.viewer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: boardId }),
  })
  assert.equal(response.status, 200)
  return response.text()
}

async function assertUpToDate(after: string) {
  for (const version of ['v1', 'v2'] as const) {
    other.keptBoards.forget()
    assert.equal(await read(service, version), await read(other, version), after)
  }
}

/** Texts that look like the JSON around them. */
const texts = [
  '"position":0,"card_type":"custom"}',
  `{"id":${cardIds[0]},"project_id":${projectId},"platform_id":1,"master_card_id":`,
  'Back\\slash \\" $& $1 \u2028 🎉',
  'Plain',
]

test('a board brought forward is the board read anew, after any change', async () => {
  const random = randomNumbers('bringing forward')
  const one = <Value>(values: readonly Value[]) => values[random(values.length)] as Value
  const text = () => `${one(texts)} ${random(1000)}`
  const card = () => one(cardIds)
  const call = admin.call
  const { tag } = await call(`${operations}/tags/create`, { name: 'Tag' })
  let comments: number[] = []
  /** Changes of one card come more often than others, so that several of them follow each other. */
  const changes: (() => Promise<unknown>)[] = [
    () => call(`${operations}/cards/update`, { id: card(), title: text() }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        description: one([null, text(), `<b>${random(9)}</b>`]),
      }),
    () =>
      call(`${operations}/cards/update`, { id: card(), due_date: one([null, '2020-01-01', '2090-01-01']) }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        status: one(['open', 'closed']),
        priority: one(['low', 'high'] as const),
      }),
    () =>
      call(`${operations}/cards/update`, {
        id: card(),
        tag_id: one([null, tag.id]),
        owner_id: one([null, members.member.id]),
      }),
    async () => {
      const { comment } = await member.call(`${operations}/comments/create`, {
        card_id: card(),
        comment: text(),
      })
      comments.push(comment.id)
    },
    async () => {
      const [gone, ...rest] = comments
      comments = rest
      if (gone !== undefined) await member.call(`${operations}/comments/delete`, { id: gone })
    },
    async () => {
      const { card: made } = await call(`${operations}/cards/create`, {
        title: text(),
        group_id: one(groupIds),
      })
      cardIds.push(made.id)
    },
    () => call(`${operations}/cards/move`, { id: card(), group_id: one(groupIds), position: 1 + random(3) }),
    async () => {
      const id = card()
      await call(`${operations}/cards/delete`, { id })
      if (random(2) === 0) await read(service, 'v2')
      await call(`${operations}/cards/restore`, { id })
    },
    () => call(`${operations}/groups/update`, { id: one(groupIds), title: text() }),
    () => call(`${operations}/tags/update`, { id: tag.id, name: `Tag ${random(1000)}` }),
    () => call(`${operations}/boards/update`, { id: boardId, title: text() }),
  ]
  const change = () =>
    (random(3) > 0 ? changes[random(7)] : one(changes))?.().catch((error) => {
      // Another change of the same moment has deleted the card.
      if (error.refusal?.code !== 'card_not_found') throw error
    })
  await assertUpToDate('the start')
  for (let step = 0; step < 25 * effort; step++) {
    await Promise.all(
      Array.from({ length: 1 + random(4) }, () => Promise.all([change(), read(service, 'v1')])),
    )
    await assertUpToDate(`step ${step}`)
  }
})

test('a card that has become overdue since is shown so, although another one changed', async () => {
  const [first, second] = cardIds as [number, number]
  const due = Date.now() + 500
  await admin.call(`${operations}/cards/update`, {
    id: second,
    due_date: new Date(due).toISOString(),
    status: 'open',
  })
  await read(service, 'v2')
  await delay(due - Date.now() + 10)
  await admin.call(`${operations}/cards/update`, { id: first, title: 'Meanwhile' })
  await assertUpToDate('the due date')
})

test('only the changed card is read', async () => {
  const [first, second] = cardIds as [number, number]
  await read(service, 'v2')
  // No event says so, and so nobody looks.
  await service.db.sql`update cards set title = 'Unseen' where project_id = ${projectId} and id = ${second}`
  await admin.call(`${operations}/cards/update`, { id: first, title: 'Seen' })
  const board = await read(service, 'v2')
  assert.ok(board.includes('"title":"Seen"'))
  assert.ok(!board.includes('"title":"Unseen"'))
  const [{ group_id: from }] = await service.db.sql<[{ group_id: number }]>`
    select group_id from cards where project_id = ${projectId} and id = ${first}`
  const elsewhere = groupIds.find((id) => id !== from) as number
  await admin.call(`${operations}/cards/move`, { id: first, group_id: elsewhere, position: 1 })
  assert.ok((await read(service, 'v2')).includes('"title":"Unseen"'), 'a move concerns other cards too')
})

test('a long board is read anew, because looking for its cards would make others wait', async () => {
  const [first, second] = cardIds as [number, number]
  for (const id of cardIds.slice(0, 6))
    await admin.call(`${operations}/cards/update`, { id, description: 'w'.repeat(65_000) })
  await admin.call(`${operations}/cards/update`, { id: first, short_description: 'w'.repeat(20_000) })
  await read(service, 'v2')
  await service.db.sql`update cards set title = 'Long' where project_id = ${projectId} and id = ${second}`
  await admin.call(`${operations}/cards/update`, { id: first, title: 'Changed' })
  assert.ok((await read(service, 'v2')).includes('"title":"Long"'))
})

test('after many changes the board is read anew', async () => {
  const [first, second] = cardIds as [number, number]
  await service.db.sql`update cards set title = 'Hidden' where project_id = ${projectId} and id = ${second}`
  for (let number = 0; number <= 20; number++)
    await admin.call(`${operations}/cards/update`, { id: first, title: `Change ${number}` })
  assert.ok((await read(service, 'v2')).includes('"title":"Hidden"'))
})
