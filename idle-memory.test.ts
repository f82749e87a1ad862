import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectWhenQuiet } from './idle-memory.ts'

const megabyte = 1024 * 1024

test('memory is collected while there is little to do, if enough came together since the last time', async () => {
  const given: number[] = []
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

  const buffers = [Buffer.alloc(32 * megabyte)]
  while (given.length === 1) await sleep(100)
  assert.equal(buffers.pop()?.length, 32 * megabyte, 'in use until now')
  await sleep(1000)
  assert.equal(given.length, 2, 'nothing came together')

  while (given.length === 2) {
    // Again and again, because the engine may collect by itself before it is quiet. Not filled with zeros, which would keep it busy.
    for (let i = 0; i < 20; i++) Buffer.allocUnsafeSlow(megabyte)
    await sleep(100)
  }
  assert.ok((given[2] as number) > 32 * megabyte, `${given[2]} bytes`)
  stop()
})
