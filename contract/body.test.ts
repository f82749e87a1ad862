// Bodies that are too large or never end: their memory is limited, and small requests are not affected.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import fastify, { type FastifyRequest } from 'fastify'
import { createBoard } from '#tests/board.ts'
import { startTestService } from '#tests/service.ts'
import { readBody } from './body.ts'
import { usualLimits } from './body-limits.ts'
import { receiveBodies } from './receiving.ts'

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

/** Sends a request to the end, then another one on the same connection, and returns the answers. */
async function sendTwice(at: { url: string }, headers: string, bytes: number): Promise<string> {
  const { hostname, port } = new URL(at.url)
  const socket = connect({ host: hostname, port: Number(port) })
  const head = `POST /api${me} HTTP/1.1\r\nhost: x\r\n${headers}`
  // The service may close the connection while it is being sent to.
  socket.on('error', () => {})
  socket.write(`${head}content-length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`)
  socket.write(`${head}content-length: 0\r\nconnection: close\r\n\r\n`)
  return text(socket)
}

test('400 at once for a body whose declared size is beyond the limit, and its connection is closed; a small one goes on', async () => {
  const bearer = `authorization: Bearer ${user.token}\r\n`
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(`POST /api${me} HTTP/1.1\r\nhost: x\r\n${bearer}content-length: ${megabyte}\r\n\r\n`)
  assert.match(
    await text(socket),
    /^HTTP\/1.1 400 .*connection: close\r\n.*x-error-code: body_too_large\r\n/is,
  )
  for (const [bytes, statuses] of [
    [megabyte, ['HTTP/1.1 400']],
    [60_000, ['HTTP/1.1 400', 'HTTP/1.1 200']],
  ] as const)
    assert.deepEqual((await sendTwice(service, bearer, bytes)).match(/HTTP\/1.1 \d+/g), statuses)
})

test('429 at once for a body of a caller who is beyond the limit, and its connection is closed; a small one goes on', async () => {
  const limited = await startTestService({ rateLimit: 3, anonymousRateLimit: 3 }, service.address)
  const { token } = await limited.addUser()
  const { hostname, port } = new URL(limited.url)
  for (const bearer of ['', `authorization: Bearer ${token}\r\n`]) {
    const begin = async (size: string, part: string) => {
      const socket = connect({ host: hostname, port: Number(port) })
      socket.write(`POST /api${comment} HTTP/1.1\r\nhost: x\r\n${bearer}${size}\r\n\r\n${part}`)
      return text(socket)
    }
    const refused =
      /^HTTP\/1.1 429 .*connection: close\r\n.*x-error-code: rate_limited\r\nretry-after: \d+\r\n/is
    // Its size alone is beyond the limit.
    assert.match(await begin('content-length: 700000', ''), refused)
    const chunk = `11170\r\n${'x'.repeat(70_000)}\r\n`
    assert.match(await begin('transfer-encoding: chunked', chunk), refused)
    const answers = await sendTwice(limited, bearer, 60_000)
    assert.deepEqual(answers.match(/HTTP\/1.1 \d+/g), ['HTTP/1.1 429', 'HTTP/1.1 429'])
  }
})

test('the connection is closed after an answer for which a large body is not received', async () => {
  const { hostname, port } = new URL(service.url)
  for (const [line, status] of [
    [`POST /api${me} HTTP/1.1\r\ncontent-type: x`, 401],
    ['GET /api/health/live HTTP/1.1', 200],
    ['PROPFIND /api/health/live HTTP/1.1', 404],
    ['POST /nothing HTTP/1.1', 404],
  ] as const)
    for (const size of [`content-length: ${megabyte}`, 'transfer-encoding: chunked']) {
      const socket = connect({ host: hostname, port: Number(port) })
      const part = size.startsWith('t') ? `11170\r\n${'x'.repeat(70_000)}\r\n` : ''
      socket.write(`${line}\r\nhost: x\r\n${size}\r\n\r\n${part}`)
      assert.match(await text(socket), new RegExp(`^HTTP/1.1 ${status} .*connection: close\r\n`, 'is'), line)
    }
})

test('a client that reads only after it has sent everything gets its 429', async () => {
  const limited = await startTestService({ anonymousRateLimit: 1 }, service.address)
  const { hostname, port } = new URL(limited.url)
  const socket = connect({ host: hostname, port: Number(port) }).pause()
  socket.write(`POST /api${comment} HTTP/1.1\r\nhost: x\r\ncontent-length: ${megabyte}\r\n\r\n`)
  for (let sent = 0; sent < megabyte; sent += 64 * 1024)
    await new Promise((resolve) => socket.write('x'.repeat(64 * 1024), resolve))
  assert.match(await text(socket), /^HTTP\/1.1 429 /)
})

test('the memory of a body is freed without the garbage collector: its pieces when it is complete or dropped, itself when it is read', async () => {
  const memory: ArrayBufferLike[] = []
  await using app = fastify()
  app.addHook('preParsing', (_request, _reply, payload, done) => {
    payload.on('data', ({ buffer }: Buffer) => memory.push(buffer))
    done(null, payload)
  })
  receiveBodies(app, { mostBytesOf: () => 200_000, isBeyondLimit: async () => false })
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
