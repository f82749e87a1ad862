// Only argon2id, on as many threads of the same kind as in the service.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { HashJob } from '#identity/password-worker.ts'
import { answerBench } from '../process.ts'

export interface Verifications {
  password: string
  stored: string
  seconds: number
}

const workers = Array.from(
  { length: availableParallelism() },
  () => new Worker(new URL(import.meta.resolve('#identity/password-worker.ts'))),
)

/** Verifies for the given seconds and returns the number per second. */
answerBench(async ({ password, stored, seconds }: Verifications) => {
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  const counts = await Promise.all(workers.map((worker) => verifyUntil(worker, { password, stored }, endsAt)))
  const total = counts.reduce((sum, count) => sum + count, 0)
  return total / ((performance.now() - startedAt) / 1000)
})

function verifyUntil(worker: Worker, job: HashJob, endsAt: number): Promise<number> {
  return new Promise((resolve) => {
    let count = 0
    worker.on('message', () => {
      count++
      if (performance.now() < endsAt) return worker.postMessage(job)
      worker.removeAllListeners('message')
      resolve(count)
    })
    worker.postMessage(job)
  })
}
