// Clients that ask and never read: what they leave unread is bounded for each, and others are served meanwhile; unread.long.test.ts has the
// bound for all together.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import test from 'node:test'
import { createBoard } from '#tests/board.ts'
import { seldom } from '#tests/drawn.ts'
import { openStream, until } from '#tests/event-stream.ts'
import { recordLarge } from '#tests/events.ts'
import { startTestService } from '#tests/service.ts'
import { askWithoutReading, boardOf, boardRequest, megabyte, read, unreadBytes } from '#tests/unread.ts'
import { unreadAnswers } from './unread.ts'

const area = '/services/operations/v1/operations'

test('429 with Retry-After for a user who reads no answers, 200 for others, and 200 again after they disconnect', async () => {
  const unread = { bytesPerUser: 30 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 12 * megabyte)
  const { viewer, member } = scene.members
  const sockets: Socket[] = []
  const isRefused = async () => {
    const socket = await askWithoutReading(service, boardRequest(scene), 1)
    sockets.push(socket)
    // Its answer has begun.
    await new Promise((resolve) => socket.once('readable', resolve))
    return (await read(service, scene, viewer.token)).status === 429
  }
  await until(isRefused, 'a refusal', 60)
  const refused = await read(service, scene, viewer.token)
  assert.ok(!refused.ok)
  assert.deepEqual([refused.status, refused.retryAfterSeconds], [429, 600])
  assert.equal((await read(service, scene, member.token)).status, 200)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await read(service, scene, viewer.token)).ok, 'room', 30)
  assert.equal(await unreadBytes(service), 0)
})

test('if all readers together have too much, the one with the most is cut off, and not one who has waited longer', async (t) => {
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => answers.push(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { hold, total } = unreadAnswers({ bytesPerUser: 60, bytes: 100, timeoutSeconds: 600 })
  t.after(() => server.close())
  for (const reader of ['slow', 'greedy', 'greedy']) {
    const number = answers.length
    const socket = connect((server.address() as AddressInfo).port).on('error', () => {})
    t.after(() => socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: cardinal\r\n\r\n')
    await until(() => answers.length > number, 'the request')
    hold(answers[number] as ServerResponse, reader, reader === 'slow' ? 30 : 40)
  }
  assert.deepEqual(
    answers.map(({ destroyed }) => destroyed),
    [false, true, false],
  )
  assert.equal(total(), 70)
})

test('a reader who is cut off leaves room with all answers of the connection, so that no other is', async (t) => {
  const answers: ServerResponse[] = []
  const server = createServer((_request, answer) => answers.push(answer)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { hold, total } = unreadAnswers({ bytesPerUser: 200, bytes: 100, timeoutSeconds: 600 })
  t.after(() => server.close())
  // Three answers of each connection share a body, which counts once in all.
  const bodies = [{}, {}, {}]
  for (const [number, body] of bodies.entries()) {
    const socket = connect((server.address() as AddressInfo).port).on('error', () => {})
    t.after(() => socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: cardinal\r\n\r\n'.repeat(3))
    await until(() => answers.length === 3 * (number + 1), 'the requests')
    for (const answer of answers.slice(-3)) hold(answer, `reader ${number}`, 40, body)
  }
  assert.deepEqual(
    answers.map(({ req }) => req.socket.destroyed),
    [true, true, true, false, false, false, false, false, false],
  )
  assert.equal(total(), 80)
})

seldom('429 before a large board is read again for a user without room for it', async () => {
  const unread = { bytesPerUser: 20 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 12 * megabyte)
  const socket = await askWithoutReading(service, boardRequest(scene), 1)
  await new Promise((resolve) => socket.once('readable', resolve))
  // The board is kept, and out of date.
  await scene.member.call(`${area}/groups/update`, { id: scene.groupIds[0] as number, title: 'Changed' })
  await service.db.transaction(async ({ sql }) => {
    // A read of cards now waits until this ends.
    await sql`lock table cards in access exclusive mode`
    assert.equal((await read(service, scene, scene.members.viewer.token)).status, 429)
  })
  socket.destroy()
})

seldom('429 for a user without room for two while a large board is read for the first', async () => {
  const unread = { bytesPerUser: 20 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 12 * megabyte)
  const { viewer, member } = scene.members
  const statusFor = async ({ token }: { token: string }) => (await read(service, scene, token)).status
  assert.equal(await statusFor(viewer), 200)
  await scene.member.call(`${area}/groups/update`, { id: scene.groupIds[0] as number, title: 'Changed' })
  const { first, other } = await service.db.transaction(async ({ sql }) => {
    await sql`lock table cards in access exclusive mode`
    const isWaiting = async () => (await sql`select from pg_locks where not granted`).length > 0
    const first = statusFor(viewer)
    await until(isWaiting, 'the read of the board', 30)
    const other = statusFor(member)
    assert.equal(await statusFor(viewer), 429)
    return { first, other }
  })
  assert.deepEqual(await Promise.all([first, other]), [200, 200])
  assert.equal(await statusFor(viewer), 200)
})

seldom('200 for a board that has become small, for a reader whom its kept size would not fit', async () => {
  const unread = { bytesPerUser: 5 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 6 * megabyte)
  assert.equal((await read(service, scene, scene.members.viewer.token)).status, 429)
  await scene.admin.call(`${area}/groups/delete`, { id: scene.groupIds[0] as number })
  assert.equal((await read(service, scene, scene.members.viewer.token)).status, 200)
})

test('a connection that reads nothing is closed after the write timeout, and not after twice that', async () => {
  const unread = { bytesPerUser: 20 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 4 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 6 * megabyte)
  const socket = await askWithoutReading(service, boardRequest(scene), 1)
  const failed = new Promise<NodeJS.ErrnoException>((resolve) => socket.once('error', resolve))
  await until(async () => (await unreadBytes(service)) > 0, 'waiting', 30)
  const began = performance.now()
  await until(async () => (await unreadBytes(service)) === 0, 'the end of waiting', 30)
  const seconds = (performance.now() - began) / 1000
  assert.ok(seconds > 3 && seconds < 7, `${seconds} s`)
  socket.resume()
  // With a reset, so that the system keeps nothing for it either.
  assert.equal((await failed).code, 'ECONNRESET')
  assert.ok(socket.bytesRead < 6 * megabyte, `${socket.bytesRead} bytes came`)
})

seldom('readers of a board in two languages hold one copy of it', async () => {
  const service = await startTestService()
  const scene = await boardOf(service, 3 * megabyte)
  const { viewer, member } = scene.members
  await service.client(viewer.token).call('/services/identity/v1/users/update', { language: 'de' })
  // From here on the board is kept.
  assert.equal((await read(service, scene, member.token)).status, 200)
  const sockets: Socket[] = []
  for (const reader of [viewer, member]) {
    const begun = sockets.length
    // One by one, until they no longer fit into what the system keeps for each connection.
    const isWaiting = async () => {
      sockets.push(await askWithoutReading(service, boardRequest(scene, reader), 4))
      return (await unreadBytes(service)) > 0 && sockets.length > begun + 2
    }
    await until(isWaiting, 'waiting')
  }
  assert.ok((await unreadBytes(service)) < 4 * megabyte, `${await unreadBytes(service)} bytes`)
  for (const socket of sockets) socket.destroy()
  await until(async () => (await unreadBytes(service)) === 0, 'the end of all')
})

test('pages count for the IP address: 429 while it reads none of them', async () => {
  const unread = { bytesPerUser: 12 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const request = 'GET /api/openapi.json HTTP/1.1\r\nhost: cardinal\r\n\r\n'
  const sockets = await Promise.all(Array.from({ length: 20 }, () => askWithoutReading(service, request, 1)))
  const page = async () => {
    // Compressed it would fit into what is left.
    const headers = { 'accept-encoding': 'identity' }
    const response = await fetch(`${service.url}/api/openapi.json`, { headers })
    await response.arrayBuffer()
    return response
  }
  // One by one, until they no longer fit into what the system keeps for each connection.
  const isRefused = async () => {
    for (const socket of sockets) socket.write(request)
    return (await page()).status === 429
  }
  await until(isRefused, 'a refusal', 30)
  assert.equal((await page()).headers.get('retry-after'), '600')
  for (const socket of sockets) socket.destroy()
  await until(async () => (await page()).status === 200, 'room')
  assert.equal(await unreadBytes(service), 0)
})

seldom('an unread event stream is closed before it exceeds the limit of its user', async () => {
  const unread = { bytesPerUser: 3 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const { projectId, boardId, member, members, groupIds } = await createBoard(service)
  const request = [
    `GET /api${area}/events/stream HTTP/1.1`,
    'host: cardinal',
    `authorization: Bearer ${members.viewer.token}`,
    '',
    '',
  ].join('\r\n')
  const socket = await askWithoutReading(service, request, 1)
  let most = 0
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  for (let number = 0; number < 25; number++) {
    await recordLarge(service.db, projectId, boardId)
    await member.call(`${area}/cards/create`, { title: 'Wake', group_id: groupIds[0] as number })
    most = Math.max(most, await unreadBytes(service))
  }
  await until(async () => (await unreadBytes(service)) === 0, 'the end of the stream')
  assert.ok(most <= unread.bytesPerUser + megabyte + 10_000, `${most} bytes were held`)
  socket.resume()
  await closed
})

test('an event stream that is read holds nothing', async () => {
  const service = await startTestService()
  const { member, members, groupIds } = await createBoard(service)
  const stream = await openStream(service, members.viewer.token)
  await member.call(`${area}/cards/create`, { title: 'Wake', group_id: groupIds[0] as number })
  await until(() => stream.events().length > 0, 'the event')
  await until(async () => (await unreadBytes(service)) === 0, 'the end of waiting', 5)
  await stream.close()
})

test('200 or 429 for requests beyond the unread limit, and never a broken connection', async () => {
  const unread = { bytesPerUser: 13 * megabyte, bytes: 100 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const scene = await boardOf(service, 6 * megabyte)
  const asked = Array.from({ length: 8 }, () => read(service, scene, scene.members.viewer.token))
  const statuses = (await Promise.all(asked)).map(({ status }) => status)
  assert.deepEqual([...new Set(statuses)].sort(), [200, 429])
  assert.equal(await unreadBytes(service), 0)
})
