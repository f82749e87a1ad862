// Bodies that never end: their memory is limited, and small requests are not affected.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
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
