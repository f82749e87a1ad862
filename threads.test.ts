import assert from 'node:assert/strict'
import { once } from 'node:events'
import test from 'node:test'
import type { Worker } from 'node:worker_threads'
import { startThreads } from './threads.ts'

/** A worker that does what each job says, to test how threads end. */
const obeying = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads'
    parentPort.on('message', (job) => {
      if (job === 'exit') process.exit(0)
      if (job === 'throw') throw new Error('thrown')
      if (job === 'exit later') setTimeout(() => process.exit(0), 20)
      if (job !== 'hang') parentPort.postMessage(job + ' done')
    })`)}`,
)

/** Resolves when the thread that is started next has ended; until then this process stays alive. */
async function endOfNextThread() {
  const [thread]: Worker[] = await once(process, 'worker')
  thread?.ref()
  await once(thread as Worker, 'exit')
}

for (const [job, reason] of [
  ['exit', /ended with its job undone/],
  ['throw', /thrown/],
] as const)
  test(`the job of a thread that ends by ${job} fails, and the next one is done`, async () => {
    const threads = startThreads<string, string>(obeying, 1)
    const [lost, next] = await Promise.allSettled([threads.run(job), threads.run('next')])
    assert.equal(lost.status, 'rejected')
    assert.match(String((lost as PromiseRejectedResult).reason), reason)
    assert.deepEqual(next, { status: 'fulfilled', value: 'next done' })
    await threads.close()
  })

test('a thread that ends while it has no job is replaced', async () => {
  const ended = endOfNextThread()
  const threads = startThreads<string, string>(obeying, 1)
  assert.equal(await threads.run('exit later'), 'exit later done')
  await ended
  assert.equal(await threads.run('next'), 'next done')
  await threads.close()
})

test('a thread without a job ends after a while, and the next job gets another one', async () => {
  let started = 0
  const count = () => started++
  process.on('worker', count)
  const ended = endOfNextThread()
  const threads = startThreads<string, string>(obeying, 1, 300)
  for (const job of ['one', 'two']) assert.equal(await threads.run(job), `${job} done`)
  assert.equal(started, 1)
  await ended
  assert.equal(await threads.run('three'), 'three done')
  assert.equal(started, 2)
  process.off('worker', count)
  await threads.close()
})

test('closing fails running and waiting jobs', async () => {
  const threads = startThreads<string, string>(obeying, 1)
  const jobs = Promise.allSettled([threads.run('hang'), threads.run('next')])
  await threads.close()
  for (const { status } of await jobs) assert.equal(status, 'rejected')
})
