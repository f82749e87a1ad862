// Two services in one process on two databases, in which projects and boards have the same ids.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService, type TestService } from '#tests/service.ts'
import { boardOf, megabyte, read } from '#tests/unread.ts'
import { createKeptBoards } from './kept-boards.ts'

const operations = '/services/operations/v1/operations'

async function startWithBoard(title: string) {
  const service: TestService = await startTestService()
  const { boardId, projectId, admin, members } = await createBoard(service)
  await admin.call(`${operations}/boards/update`, { id: boardId, title })
  const viewer = service.client(members.viewer.token)
  const readTitle = async () => {
    const { board } = await viewer.call(`${operations}/boards/get`, { id: boardId })
    return board.title
  }
  return { service, boardId, projectId, readTitle }
}

const one = await startWithBoard('One')
const other = await startWithBoard('Other')

test('services on two databases never share reads', async () => {
  assert.deepEqual([one.projectId, one.boardId], [other.projectId, other.boardId])
  for (let round = 1; round <= 5; round++) {
    const pairs = Array.from({ length: 10 }, () => Promise.all([one.readTitle(), other.readTitle()]))
    for (const titles of await Promise.all(pairs)) assert.deepEqual(titles, ['One', 'Other'])
  }
})

test('boards of megabytes that one project reads leave the small ones of others in memory', async () => {
  const { service, boardId, readTitle } = one
  await readTitle()
  assert.ok(service.keptBoards.get(boardId))
  for (let count = 0; count < 4; count++) {
    const scene = await boardOf(service, 3.5 * megabyte)
    assert.equal((await read(service, scene, scene.members.viewer.token)).status, 200)
    assert.ok(service.keptBoards.get(scene.boardId))
  }
  assert.ok(service.keptBoards.get(boardId))
})

test('a board of more than half a megabyte waits for a turn before it is read', async () => {
  const { service } = one
  for (const [bytes, turns] of [
    [100_000, 0],
    [megabyte, 1],
    [6 * megabyte, 1],
  ] as const) {
    const { projectId, boardId } = await boardOf(service, bytes)
    let taken = 0
    const large = <Result>(work: () => Promise<Result>) => {
      taken++
      return work()
    }
    const found = await createKeptBoards().refresh({ db: service.db, large }, projectId, boardId, 0)
    assert.equal(found !== undefined && taken, turns, String(bytes))
  }
})
