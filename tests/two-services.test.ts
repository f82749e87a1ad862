// Two services in one process, each on its own database, do not affect each other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import test from 'node:test'
import { createBoard } from './board.ts'
import { until } from './event-stream.ts'
import { post } from './post.ts'
import { startTestService, type TestService } from './service.ts'
import { startStripe } from './stripe.ts'
import { createTrial } from './subscription.ts'

async function startWithStripe() {
  const stripe = await startStripe()
  return { stripe, service: await startTestService({ stripe: stripe.settings }) }
}

const one = await startWithStripe()
const other = await startWithStripe()

/** A trial with a reserved checkout of the same key in every database, as in a copy of one. */
async function reservedTrial(service: TestService) {
  const { projectId, owner, subscriptionId } = await createTrial(service)
  await service.db.sql`
    insert into checkouts (project_id, subscription_id, gateway, plan, period, amount, currency, key)
    values (${projectId}, ${subscriptionId}, 'stripe', 'pro', 'month', 4900, 'eur', 'the-same-key')`
  const wanted = { plan: 'pro', period: 'month', product: 'website' }
  return () =>
    post<{ session_id: string }>(
      service,
      '/services/platforms/v1/subscriptions/upgrade-trial',
      owner.token,
      wanted,
    )
}

test('200: each service asks its own provider for a checkout, even with the same key', async () => {
  const [upgradeOne, upgradeOther] = [await reservedTrial(one.service), await reservedTrial(other.service)]
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  one.stripe.faults.push(held)
  const first = upgradeOne()
  await until(() => one.stripe.received.length > 0, 'the question of the one')
  const second = upgradeOther()
  await until(() => other.stripe.received.length > 0, 'the question of the other').finally(release)
  const sessions = (await Promise.all([first, second])).map(({ body }) => body.data.session_id)
  assert.deepEqual(sessions, [...one.stripe.sessions.keys(), ...other.stripe.sessions.keys()])
})

const boards = '/services/operations/v1/operations/boards'
const boardId = 1_000_000

/** Reads a board that has the same id in every database. */
async function readerOfBoard(service: TestService, title: string) {
  const projectId = await service.addProject()
  const { token } = await service.addUser({ roles: { [projectId]: 'admin' } })
  await service.db.sql`select setval('board_ids', ${boardId}, false)`
  const client = service.client(token)
  assert.equal((await client.call(`${boards}/create`, { title })).board.id, boardId)
  return async () => (await client.call(`${boards}/get`, { id: boardId })).board.title
}

test('200: each service keeps and sends its own board, even with the same id', async () => {
  const read = [await readerOfBoard(one.service, 'One'), await readerOfBoard(other.service, 'Other')] as const
  const keptBoards = () => [one, other].map(({ service }) => service.keptBoards.get(boardId))
  assert.equal(await read[0](), 'One')
  const [kept, none] = keptBoards()
  assert.ok(kept)
  assert.equal(none, undefined)
  assert.equal(await read[1](), 'Other')
  assert.equal(await read[0](), 'One')
  assert.equal(keptBoards()[0], kept)
  assert.notEqual(keptBoards()[1], kept)
})

/** Sends a large body without its end. */
async function sendAllButTheEnd({ url }: TestService, token = '') {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const headers = `host: x\r\ncontent-type: application/json\r\nauthorization: Bearer ${token}\r\ncontent-length: 700000`
  socket.write(`POST /api/services/operations/v1/operations/comments/create HTTP/1.1\r\n${headers}\r\n\r\n`)
  if (!socket.write('x'.repeat(699_999))) await once(socket, 'drain')
  return socket
}

test('a body that is being received is dropped only for bodies of the same service', async () => {
  const boards = await Promise.all([one, other].map(({ service }) => createBoard(service)))
  const [first, second] = await Promise.all(
    [one, other].map(({ service }, at) => sendAllButTheEnd(service, boards[at]?.members.member.token)),
  )
  const others = await Promise.all(Array.from({ length: 40 }, () => sendAllButTheEnd(one.service)))
  // With each answer, the service has read another 64 KiB of every body.
  for (let round = 0; round < 15; round++)
    await boards[0]?.member.call('/services/operations/v1/operations/tags/list')
  const statusOf = async (socket: Socket | undefined) => {
    socket?.write('x')
    const [answer] = await once(socket as Socket, 'data')
    return String(answer).slice(9, 12)
  }
  assert.deepEqual([await statusOf(first), await statusOf(second)], ['429', '400'])
  for (const socket of [first, second, ...others]) socket?.destroy()
})
