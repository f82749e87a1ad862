import assert from 'node:assert/strict'
import { constants, type PerformanceEntry, PerformanceObserver } from 'node:perf_hooks'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { collectWhenQuiet } from './idle-memory.ts'

/** The types of Node do not know that entries of collections have details. */
const flagsOf = (entry: PerformanceEntry) =>
  (entry as PerformanceEntry & { detail: { flags: number } }).detail.flags

/** Counts the collections that were asked for; the engine's own do not count. */
function collections(): { readonly count: number; stop(): void } {
  let count = 0
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (flagsOf(entry) & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) count++
  })
  observer.observe({ entryTypes: ['gc'] })
  return {
    get count() {
      return count
    },
    stop: () => observer.disconnect(),
  }
}

test('memory is collected while there is little to do, if enough came together since the last time', async () => {
  const asked = collections()
  const stop = collectWhenQuiet(200)
  const busyUntil = performance.now() + 600
  while (performance.now() < busyUntil) {
    for (let i = 0; i < 3e7; i++);
    await sleep(1)
  }
  assert.equal(asked.count, 0, 'busy')

  while (asked.count === 0) await sleep(50)
  await sleep(1000)
  assert.equal(asked.count, 1, 'nothing came together')

  const held = Buffer.alloc(32 * 1024 * 1024)
  while (asked.count === 1) await sleep(50)
  await sleep(1000)
  assert.equal(asked.count, 2, `${held.length} are still in use`)
  stop()
  asked.stop()
})
