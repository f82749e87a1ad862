// Bodies that are too large or never end: their memory is limited, and small requests are not affected.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'

const service = await startTestService()
const user = await service.addUser()
const me = '/services/identity/v1/users/me'
const megabyte = 1024 * 1024

const statusOf = async (bytes: number) => {
  const response = await service.fetch(me, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: `{"a":"${'x'.repeat(bytes)}"}`,
  })
  return [response.status, response.headers.get('retry-after')]
}

/** An anonymous client that sends a body without its end. */
async function sendAllButTheEnd() {
  const { hostname, port } = new URL(service.url)
  const socket = connect({ host: hostname, port: Number(port) })
  socket.write(`POST /api${me} HTTP/1.1\r\nhost: x\r\ncontent-length: ${megabyte}\r\n\r\n`)
  if (!socket.write('x'.repeat(megabyte - 1))) await once(socket, 'drain')
  return socket
}

test('429 for large bodies while 128 MiB of them are being received; small bodies are accepted, and large ones later', async () => {
  assert.deepEqual(await statusOf(100_000), [200, null])
  const sockets = await Promise.all(Array.from({ length: 140 }, sendAllButTheEnd))
  await until(async () => (await statusOf(100_000))[0] === 429, 'no room')
  assert.deepEqual(await statusOf(900_000), [429, '1'])
  assert.deepEqual(await statusOf(60_000), [200, null])
  for (const socket of sockets) socket.destroy()
  await until(async () => (await statusOf(900_000))[0] === 200, 'room again')
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
    message: 'The request body is larger than 1 MiB.',
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
