// Waiting for a rollout, for the operations that answer when it has ended.
import type { Fail } from '#contract/failure.ts'
import type { RolloutResult } from '#rollouts/rollout.ts'
import type { RolloutWorker } from '#rollouts/worker.ts'

/** Declared by operations that wait for a rollout. */
export const endedEarly = {
  rollout_canceled: 'The rollout was canceled before it had reached every project.',
  service_stopping: 'The service is stopping; the rollout goes on when it is back.',
} as const

/** What is said of them; `admin/rollouts/get` is the operation that has the rest. */
export const endedEarlySentences = {
  rollout_canceled:
    'The rollout was canceled after :reached of :all projects; admin/rollouts/get with id :id tells what was done in each project.',
  service_stopping:
    'The service is stopping; the rollout goes on when it is back, and admin/rollouts/get with id :id tells what was done in each project.',
} as const satisfies Record<keyof typeof endedEarly, string>

/** Waits until a rollout has ended and returns its result. */
export async function finished(
  rollouts: RolloutWorker,
  rolloutId: number,
  fail: Fail<{ 400: typeof endedEarly }>,
): Promise<RolloutResult> {
  const { status, ...result } = await rollouts.finish(rolloutId)
  if (status === 'done') return result
  const { counts } = result
  const all = counts.projects - counts.no_access
  const values = { id: String(rolloutId), all: counted(all), reached: counted(all - counts.pending) }
  const code = status === 'canceled' ? 'rollout_canceled' : 'service_stopping'
  throw fail(400, code, { text: endedEarlySentences[code], values })
}

const counted = (count: number) => (locale: string) => count.toLocaleString(locale)
