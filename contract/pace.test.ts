import assert from 'node:assert/strict'
import test from 'node:test'
import { setImmediate as turnOfLoop } from 'node:timers/promises'
import { paceOf } from './pace.ts'

const limits = { bytesPerSecond: 2000, atOnce: 10_000 }

/** Which of the waits are over. */
function watched(waits: Promise<void>[]) {
  const over = new Set<number>()
  for (const [index, wait] of waits.entries()) void wait.then(() => over.add(index))
  return over
}

async function turns(count: number) {
  for (let turn = 0; turn < count; turn++) await turnOfLoop()
}

test('a reader gets some bytes at once and the rest at a limited rate, and other readers do not wait', async ({
  mock,
}) => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const pass = async (milliseconds: number) => {
    now += milliseconds
    mock.timers.tick(milliseconds)
    await turns(20)
  }
  const pace = paceOf({ ...limits, now: () => now })
  const over = watched(Array.from({ length: 10 }, () => pace('hungry', 2000)))
  await pass(0)
  assert.equal(over.size, 5)
  await pass(2000)
  assert.equal(over.size, 7)
  const other = watched([pace('other', 10_000)])
  await pass(0)
  assert.equal(other.size, 1)
  assert.equal(over.size, 7)
  await pass(3000)
  assert.equal(over.size, 10)
  // Rested for as long as it takes to have all of it again.
  await pass(5000)
  const again = watched(Array.from({ length: 6 }, () => pace('hungry', 2000)))
  await pass(0)
  assert.equal(again.size, 5)
})

test('one part is sent in each turn of the event loop, for all readers together', async () => {
  const pace = paceOf({ ...limits, now: () => 0 })
  const over = watched(['a', 'b', 'a', 'c'].map((reader) => pace(reader, 10)))
  const seen: number[] = []
  for (let turn = 0; turn < 6; turn++) {
    await turnOfLoop()
    seen.push(over.size)
  }
  for (const [turn, size] of seen.entries()) assert.ok(size <= (seen[turn - 1] ?? 1) + 1, `${seen}`)
  assert.equal(over.size, 4)
})
