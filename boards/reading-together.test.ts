import assert from 'node:assert/strict'
import test from 'node:test'
import { readTogether } from './reading-together.ts'

test('a request shares a running read that began after it arrived; one that arrived later waits for the next', async () => {
  const together = readTogether<number>()
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let reads = 0
  const read = async () => {
    const number = reads++
    await gates[number]?.promise
    return number
  }
  const before = performance.now()
  const first = together('board', before, read)
  const sharing = together('board', before, read)
  const later = performance.now()
  const waiting = together('board', later, read)
  gates[0]?.resolve()
  assert.deepEqual(await Promise.all([first, sharing]), [0, 0])
  // The second read has not begun, so this one would not be too old.
  const joining = together('board', performance.now(), read)
  gates[1]?.resolve()
  assert.deepEqual(await Promise.all([waiting, joining]), [1, 1])
  assert.equal(reads, 2)
})
