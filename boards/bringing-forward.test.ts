// A board that is brought forward again and again is the one that another instance reads anew, in both versions of the API.
import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { createBoard, fetchBoard } from '#tests/board.ts'
import { randomChanges } from '#tests/board-changes.ts'
import { seldom } from '#tests/drawn.ts'
import { effort } from '#tests/effort.ts'
import { randomNumbers } from '#tests/random.ts'
import { startTestService, type TestService } from '#tests/service.ts'

const operations = '/services/operations/v1/operations'
const service = await startTestService()
const other = await startTestService({}, service.address)
const scene = await createBoard(service, { cards: 6 })
const { projectId, boardId, groupIds, admin, members } = scene

async function read(from: TestService, version: 'v1' | 'v2') {
  const response = await from.fetch(`/services/operations/${version}/operations/boards/get`, {
    method: 'POST',
    headers: { authorization: `Bearer ${members.viewer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id: boardId }),
  })
  assert.equal(response.status, 200)
  return response.text()
}

/** A board that did not change keeps its version while the project has newer ones. */
const withoutVersion = (board: string) => board.replace(/,"version":\d+/, '')

async function assertUpToDate(after: string) {
  for (const version of ['v1', 'v2'] as const) {
    other.keptBoards.forget()
    const [kept, fresh] = [await read(service, version), await read(other, version)]
    assert.equal(withoutVersion(kept), withoutVersion(fresh), after)
  }
}

test('a board brought forward is the board read anew, after any change', async () => {
  const random = randomNumbers('bringing forward')
  const change = await randomChanges(scene, random)
  await assertUpToDate('the start')
  for (let step = 0; step < 25 * effort; step++) {
    await Promise.all(
      Array.from({ length: 1 + random(4) }, () => Promise.all([change(), read(service, 'v1')])),
    )
    await assertUpToDate(`step ${step}`)
  }
})

seldom('the same of a large board', async () => {
  const random = randomNumbers('bringing a large board forward')
  const large = await createBoard(service, { cards: 40 })
  const { token } = large.members.viewer
  const text = '"ü'.repeat(30_000)
  const { call } = large.member
  await Promise.all(
    large.cardIds.map((id) => call(`${operations}/cards/update`, { id, short_description: text })),
  )
  const change = await randomChanges(large, random)
  const { response } = await fetchBoard(service, token, large.boardId, 'v2')
  assert.equal(response.headers.get('transfer-encoding'), 'chunked')
  for (let step = 0; step < 2 * effort; step++) {
    const version = step % 2 === 0 ? 'v1' : 'v2'
    const boardOf = async (from: TestService) => {
      const { data } = await fetchBoard(from, token, large.boardId, version)
      return version === 'v1' ? JSON.parse(data.board) : { ...data.board, version: 0 }
    }
    await Promise.all([change(), boardOf(service), change(), change()])
    other.keptBoards.forget()
    assert.deepEqual(await boardOf(service), await boardOf(other), `step ${step}`)
  }
})

/** Cards of its own, because the random changes above may have deleted the others. */
async function addCards(): Promise<[first: number, second: number]> {
  const [group_id] = groupIds as [number]
  const add = async () =>
    (await admin.call(`${operations}/cards/create`, { title: 'Added', group_id })).card.id
  return [await add(), await add()]
}

test('a card that has become overdue since is shown so, although another one changed', async () => {
  const [first, second] = await addCards()
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

/** Changes a title without an event, so that only a board that is read anew shows it. */
async function hide(title: string, id: number) {
  await service.db.sql`update cards set title = ${title} where project_id = ${projectId} and id = ${id}`
  return async () => (await read(service, 'v2')).includes(`"title":"${title}"`)
}

test('only what changed is read', async () => {
  const [first, second] = await addCards()
  const [, doing] = groupIds as [number, number]
  await read(service, 'v2')
  const isReadAnew = await hide('Unseen', second)
  const changes = [
    () => admin.call(`${operations}/cards/update`, { id: first, title: 'Seen' }),
    () => admin.call(`${operations}/cards/move`, { id: first, group_id: doing, position: 1 }),
    () => admin.call(`${operations}/cards/create`, { title: 'New', group_id: doing }),
    () => admin.call(`${operations}/cards/delete`, { id: first }),
    () => admin.call(`${operations}/cards/restore`, { id: first }),
    () => admin.call(`${operations}/groups/create`, { board_id: boardId, title: 'More' }),
    () => admin.call(`${operations}/groups/update`, { id: doing, title: 'Now' }),
    () => admin.call(`${operations}/tags/create`, { name: 'New' }),
    () => admin.call(`${operations}/boards/update`, { id: boardId, title: 'Renamed' }),
  ]
  for (const change of changes) {
    await change()
    assert.equal(await isReadAnew(), false, String(change))
  }
  await admin.call(`${operations}/groups/archive`, { id: doing })
  await admin.call(`${operations}/groups/unarchive`, { id: doing })
  assert.equal(await isReadAnew(), true, 'its cards came back with the group')
  await assertUpToDate('the changes')
})

test('after many changes the board is read anew', async () => {
  const [first, second] = await addCards()
  await read(service, 'v2')
  const isReadAnew = await hide('Hidden', second)
  for (let number = 0; number <= 100; number++)
    await admin.call(`${operations}/cards/update`, { id: first, title: `Change ${number}` })
  assert.equal(await isReadAnew(), true)
})
