// Two services in one process, each on its own database, do not affect each other.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import test from 'node:test'
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

const megabyte = 1024 * 1024
const me = '/services/identity/v1/users/me'

/** Sends a large body without its end. */
async function sendAllButTheEnd({ url }: TestService) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(`POST /api${me} HTTP/1.1\r\nhost: x\r\ncontent-length: ${megabyte}\r\n\r\n`)
  if (!socket.write('x'.repeat(megabyte - 1))) await once(socket, 'drain')
  return socket
}

test('200 for a large body while the other service has no room for more', async () => {
  const users = [await one.service.addUser(), await other.service.addUser()] as const
  const statusOf = async (service: TestService, token: string) =>
    (await post(service, me, token, { a: 'x'.repeat(900_000) })).status
  const sockets = await Promise.all(Array.from({ length: 140 }, () => sendAllButTheEnd(one.service)))
  await until(async () => (await statusOf(one.service, users[0].token)) === 429, 'no room')
  assert.equal(await statusOf(other.service, users[1].token), 200)
  for (const socket of sockets) socket.destroy()
})
