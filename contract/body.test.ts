// Bodies that are too large or never end: their memory is limited, and small requests are not affected.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import fastify, { type FastifyRequest } from 'fastify'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { bodyReceiver, readBody } from './body.ts'
import { usualLimits } from './body-limits.ts'

const service = await startTestService({ trustedProxies: ['127.0.0.1'] })
const board = await createBoard(service, { cards: 1 })
const user = await service.addUser()
const me = '/services/identity/v1/users/me'
const megabyte = 1024 * 1024

/** An operation that takes a long text. */
const comment = '/services/operations/v1/operations/comments/create'

const statusOf = async (bytes: number) => {
  const response = await service.fetch(comment, {
    method: 'POST',
    headers: { authorization: `Bearer ${board.members.member.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ card_id: board.cardIds[0], comment: 'é'.repeat(bytes / 2) }),
  })
  return response.status
}

/** Sends a body without its end. */
async function sendAllButTheEnd(headers = '', bytes = 700_000) {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(
    `POST /api${comment} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n${headers}content-length: ${bytes}\r\n\r\n`,
  )
  if (!socket.write('x'.repeat(bytes - 1))) await once(socket, 'drain')
  return socket
}

/** With each answer, the service has read another 64 KiB of every body. */
async function everythingIsRead() {
  for (let round = 0; round < 15; round++) assert.equal(await statusOf(1000), 201)
}

test('429 for a body that was dropped to make room, once it is complete', async () => {
  const first = await sendAllButTheEnd(`authorization: Bearer ${board.members.member.token}\r\n`)
  assert.equal(await statusOf(100_000), 201)
  const others = await Promise.all(Array.from({ length: 40 }, () => sendAllButTheEnd()))
  await everythingIsRead()
  first.write('x')
  const [answer] = await once(first, 'data')
  assert.match(String(answer), /^HTTP\/1.1 429 .*x-error-code: server_busy\r\nretry-after: 1\r\n/s)
  for (const socket of [first, ...others]) socket.destroy()
})

test('201 for large bodies while many are left unfinished by one address or by many', async () => {
  for (const headerOf of [() => '', (number: number) => `x-forwarded-for: 203.0.113.${number}\r\n`]) {
    const send = (count: number, bytes: number) =>
      Promise.all(Array.from({ length: count }, (_, number) => sendAllButTheEnd(headerOf(number), bytes)))
    const large = await send(190, 700_000)
    await everythingIsRead()
    // These would take the room that the large ones left.
    const small = await send(100, 90_000)
    await everythingIsRead()
    for (const bytes of [100_000, 60_000]) assert.equal(await statusOf(bytes), 201)
    for (const socket of [...large, ...small]) socket.destroy()
  }
})

/** Sends a body in chunks until the service closes the connection, and returns what it answered. */
async function sendWithoutEnd(): Promise<string> {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  let answer = ''
  socket.on('data', (bytes) => {
    answer += bytes
  })
  // Sending to a closed connection is an error.
  socket.on('error', () => {})
  socket.write(
    `POST /api${me} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.token}\r\n` +
      'content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n',
  )
  const chunk = `${megabyte.toString(16)}\r\n${'x'.repeat(megabyte)}\r\n`
  const write = () => {
    if (!socket.destroyed) socket.write(chunk, () => setTimeout(write, 5))
  }
  write()
  await once(socket, 'close').catch(() => {})
  return answer
}

test('400 in the envelope for a body beyond every limit, before the connection closes', async () => {
  const [head = '', body = ''] = (await sendWithoutEnd()).split('\r\n\r\n')
  assert.ok(head.startsWith('HTTP/1.1 400 Bad Request\r\n'), head)
  assert.match(head, /x-error-code: body_too_large\r\n/i)
  assert.match(head, /x-ratelimit-limit: \d+\r\nx-ratelimit-remaining: \d+/i)
  assert.deepEqual(JSON.parse(body), {
    error: true,
    message: 'The request body is larger than this operation accepts.',
    data: [],
  })
})

test('400 for a client that sends 20 MiB to the end, and its connection goes on', async () => {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const head = `POST /api${me} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${user.token}\r\n`
  socket.write(`${head}content-length: ${20 * megabyte}\r\n\r\n`)
  socket.write('x'.repeat(20 * megabyte))
  socket.write(`${head}content-length: 0\r\nconnection: close\r\n\r\n`)
  assert.deepEqual((await text(socket)).match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 400', 'HTTP/1.1 200'])
})

test('the memory of a body is freed without the garbage collector: its pieces when it is complete or dropped, itself when it is read', async () => {
  const memory: ArrayBufferLike[] = []
  const receive = bodyReceiver(() => 200_000)
  await using app = fastify()
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.on('data', ({ buffer }: Buffer) => memory.push(buffer))
    receive(request, payload, done)
  })
  app.post('/', (request: FastifyRequest) => {
    const { body } = request
    if (Buffer.isBuffer(body)) memory.push(body.buffer)
    return { read: readBody(request, usualLimits) }
  })
  const url = await app.listen({ port: 0 })
  const answerTo = async (characters: number) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(characters) }),
    })
    const { read } = (await response.json()) as { read: unknown }
    return read
  }
  for (const characters of [10, 150_000])
    assert.deepEqual(await answerTo(characters), { text: 'x'.repeat(characters) })
  assert.equal(await answerTo(300_000), 'body_too_large')
  assert.ok(memory.length > 6)
  const large = memory.filter((piece) => piece.byteLength >= 16 * 1024)
  assert.deepEqual(large, [])
})
