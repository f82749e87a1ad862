import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Streamed } from './prepared.ts'

/** Two blocks of two parts each. */
function large() {
  const blocks = [new ArrayBuffer(100), new ArrayBuffer(100)]
  const parts = blocks.flatMap((block) => [Buffer.from(block, 0, 50), Buffer.from(block, 50, 40)])
  const freed = () => blocks.map(({ detached }) => detached)
  return { data: new Streamed('list', parts), freed }
}

test('the memory of large data is freed when its last use ends, and not while somebody has just been given it', async () => {
  const { data, freed } = large()
  const first = data.use()
  first.end()
  const second = data.use()
  first.end()
  await nextTurn()
  assert.deepEqual(freed(), [false, false])
  second.end()
  await nextTurn()
  assert.deepEqual(freed(), [true, true])
})

test('what all readers of large data have passed is freed while they read on', async () => {
  const { data, freed } = large()
  const [kept, fast, slow] = [data.use(), data.use(), data.use()]
  const passing = (...readers: { pass(): void }[]) => {
    for (const reader of readers) reader.pass()
    return freed()
  }
  assert.deepEqual(passing(fast, fast, slow, slow), [false, false])
  kept.end()
  // Somebody may have been given it a moment ago.
  assert.deepEqual(passing(fast), [false, false])
  const late = data.use()
  await nextTurn()
  assert.deepEqual(freed(), [false, false])
  assert.deepEqual(passing(late), [false, false])
  assert.deepEqual(passing(late), [true, false])
  assert.deepEqual(passing(slow, late), [true, false])
  slow.end()
  late.end()
  await nextTurn()
  assert.deepEqual(passing(fast), [true, true])
})
