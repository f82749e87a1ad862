// What all clients together leave unread is bounded.
import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import test from 'node:test'
import { until } from '#tests/event-stream.ts'
import { startTestService } from '#tests/service.ts'
import {
  askWithoutReading,
  boardOf,
  boardRequest,
  megabyte,
  read,
  type Scene,
  unreadBytes,
} from '#tests/unread.ts'

test('unread answers of many clients stay within the total limit; one of those with the most is cut off and the next client is served', async () => {
  const unread = { bytesPerUser: 30 * megabyte, bytes: 20 * megabyte, timeoutSeconds: 600 }
  const service = await startTestService({ unread })
  const sockets: Socket[] = []
  const scenes: Scene[] = []
  for (let number = 0; number < 6; number++) {
    const scene = await boardOf(service, 6 * megabyte)
    scenes.push(scene)
    sockets.push(await askWithoutReading(service, boardRequest(scene), 3))
    await until(
      async () => (await unreadBytes(service)) >= Math.min(sockets.length, 3) * 5.9 * megabyte,
      'waiting',
    )
    assert.ok((await unreadBytes(service)) <= unread.bytes)
  }
  // The first three were cut off, so their users may ask again; the last is still waited for.
  const closed = new Promise((resolve) => sockets[0]?.once('close', resolve))
  sockets[0]?.resume()
  await closed
  for (const scene of scenes) {
    assert.equal((await read(service, scene, scene.members.viewer.token)).status, 200)
    assert.ok((await unreadBytes(service)) <= unread.bytes)
  }
  for (const socket of sockets) socket.destroy()
  await until(async () => (await unreadBytes(service)) === 0, 'the end of all')
})
