import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectWhenQuiet } from './idle-memory.ts'

const megabyte = 1024 * 1024

test('memory is collected while there is little to do, if enough came together since the last time', async () => {
  const given: number[] = []
  const buffers = [Buffer.alloc(32 * megabyte)]
  const stop = collectWhenQuiet((bytes) => given.push(bytes), 400)
  const busyUntil = performance.now() + 1000
  while (performance.now() < busyUntil) {
    for (let i = 0; i < 3e7; i++);
    await sleep(1)
  }
  assert.equal(given.length, 0, 'busy')

  while (given.length === 0) await sleep(100)
  await sleep(1000)
  assert.equal(given.length, 1, 'nothing came together')

  buffers.push(Buffer.alloc(32 * megabyte))
  while (given.length === 1) await sleep(100)
  assert.equal(buffers.splice(0).length, 2, 'in use until now')
  await sleep(1000)
  assert.equal(given.length, 2, 'nothing came together')

  // The engine may collect them itself before it is quiet, so again and again, with pauses, because its collections keep it busy.
  while (!given.slice(2).some((bytes) => bytes > 32 * megabyte)) {
    // In use until all are there, so that the engine does not collect them meanwhile. Not filled with zeros, which would do the same.
    buffers.push(...Array.from({ length: 96 }, () => Buffer.allocUnsafeSlow(megabyte)))
    await sleep(1)
    buffers.length = 0
    await sleep(1500)
  }
  stop()
})
