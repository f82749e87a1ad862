import assert from 'node:assert/strict'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { until } from '#tests/event-stream.ts'
import { startRounds } from './rounds.ts'

const many = Array.from({ length: 12 }, (_, index) => index + 101)

/** Rounds in which every round of project 1 brings the next event of project 1; the first `failing` attempts fail. */
function startBusy({ failing = 0 } = {}) {
  const worked: number[][] = []
  const failures: unknown[] = []
  const rounds = startRounds({
    ...{ gatherMilliseconds: 1, restMilliseconds: 5, projectsAtOnce: 5, patience: 1 },
    async work(ids) {
      worked.push(ids)
      if (worked.length <= failing) throw new Error('no database')
      if (ids.includes(1)) rounds.announce([1])
      return []
    },
    onFailure: (error) => failures.push(error),
  })
  const hasReached = (id: number) => worked.some((ids) => ids.includes(id))
  return { rounds, worked, failures, hasReached }
}

test('projects that changed together come after one that changed alone, and have their turns while it changes on', async () => {
  const { rounds, worked, hasReached } = startBusy()
  rounds.announce(many)
  // They wait, because the rollout that changed them may still be running.
  await delay(50)
  rounds.announce([1])
  await until(() => many.every(hasReached), 'the turns of all')
  await rounds.stop()
  assert.deepEqual(worked[0], [1])
  const before = worked.findIndex((ids) => !ids.includes(1))
  assert.ok(before > 10, `${before} rounds of the one that changes on while the others wait`)
  assert.deepEqual(
    worked.filter((ids) => !ids.includes(1)),
    [many.slice(0, 5), many.slice(5, 10), many.slice(10)],
  )
})

test('projects that changed together wait while a rollout goes on', async () => {
  const { rounds, worked, hasReached } = startBusy()
  // Longer than it waits for a rollout of which nothing is heard any more.
  for (let batch = 0; batch < 26; batch++) {
    rounds.announce(many)
    await delay(100)
  }
  assert.deepEqual(worked, [])
  await until(() => many.every(hasReached), 'the turns of all')
  await rounds.stop()
})

test('projects whose work failed are worked on again', async () => {
  const { rounds, worked, failures } = startBusy({ failing: 1 })
  rounds.announce(many.slice(0, 5))
  await until(() => worked.length === 2, 'the second attempt')
  await rounds.stop()
  assert.deepEqual(worked, [many.slice(0, 5), many.slice(0, 5)])
  assert.equal(failures.length, 1)
})
