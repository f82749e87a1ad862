// Waiting for a rollout, for the operations that answer when it has ended.
import type { Fail } from '#contract/failure.ts'
import { Said } from '#contract/prepared.ts'
import type { Sentence } from '#contract/speech.ts'
import type { RolloutResult } from '#rollouts/rollout.ts'
import type { Ended, RolloutWorker } from '#rollouts/worker.ts'

/** Declared by operations that wait until a rollout rests. */
export const brokenOff = {
  rollout_canceled: 'The rollout was canceled before it had reached every project.',
  service_stopping: 'The service is stopping; the rollout continues when it is back.',
} as const

/** Declared by operations that wait for the end of a rollout. */
export const endedEarly = {
  ...brokenOff,
  rollout_paused: 'The rollout was paused before it had reached every project.',
} as const

/** Their sentences, with how far the rollout came and the operation that has the details. */
export const endedEarlySentences = {
  rollout_canceled:
    'The rollout was canceled after :reached of :all projects; admin/rollouts/get with id :id tells what was done in each project.',
  rollout_paused:
    'The rollout was paused after :reached of :all projects; admin/rollouts/resume with id :id continues it.',
  service_stopping:
    'The service is stopping; the rollout continues when it is back, and admin/rollouts/get with id :id tells what was done in each project.',
} as const satisfies Record<keyof typeof endedEarly, string>

/** The message of a rollout that has ended, but failed in some projects. */
export const failedSentence =
  'The rollout failed in :failed of :all projects; admin/rollouts/get with id :id tells why in each.'

/** The data with that message, if it failed somewhere. */
export function saidWithFailures<Data>(
  rolloutId: number,
  { counts }: RolloutResult,
  data: Data,
): Data | Said<Data> {
  if (counts.failed === 0) return data
  const all = counted(counts.projects - counts.no_access)
  const values = { id: String(rolloutId), all, failed: counted(counts.failed) }
  return new Said({ text: failedSentence, values }, data)
}

/** Waits until a rollout has ended, and returns its result. */
export async function finished(
  rollouts: RolloutWorker,
  rolloutId: number,
  fail: Fail<{ 400: typeof endedEarly }>,
): Promise<RolloutResult> {
  const rested = await resting(rollouts, rolloutId, fail)
  if (rested.status === 'done') return rested
  throw fail(400, 'rollout_paused', sentenceOf('rollout_paused', rolloutId, rested))
}

/** Waits until a rollout has ended, is paused or waits for its next stage. */
export async function resting(
  rollouts: RolloutWorker,
  rolloutId: number,
  fail: Fail<{ 400: typeof brokenOff }>,
): Promise<Ended> {
  const rested = await rollouts.finish(rolloutId)
  const { status } = rested
  if (status === 'done' || status === 'paused' || status === 'waiting') return rested
  const code = status === 'canceled' ? 'rollout_canceled' : 'service_stopping'
  throw fail(400, code, sentenceOf(code, rolloutId, rested))
}

function sentenceOf(code: keyof typeof endedEarly, rolloutId: number, { counts }: RolloutResult): Sentence {
  const all = counts.projects - counts.no_access
  const values = { id: String(rolloutId), all: counted(all), reached: counted(all - counts.pending) }
  return { text: endedEarlySentences[code], values }
}

const counted = (count: number) => (locale: string) => count.toLocaleString(locale)
