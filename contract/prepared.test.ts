import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Streamed } from './prepared.ts'

const block = () => Buffer.from(new ArrayBuffer(100))

test('the memory of large data is freed when its last use ends, and not while somebody has just been given it', async () => {
  const memory = block()
  const data = new Streamed('list', [memory.subarray(0, 50)], [memory.buffer])
  const endOfFirst = data.use()
  endOfFirst()
  const endOfSecond = data.use()
  endOfFirst()
  await nextTurn()
  assert.equal(data.parts[0]?.length, 50)
  endOfSecond()
  await nextTurn()
  assert.equal(memory.buffer.detached, true)
})
