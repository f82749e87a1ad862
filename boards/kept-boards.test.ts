// Two services in one process on two databases, in which projects and boards have the same ids.
import assert from 'node:assert/strict'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { startTestService, type TestService } from '#tests/service.ts'

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
