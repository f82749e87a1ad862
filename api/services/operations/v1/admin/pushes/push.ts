// Waiting for a rollout, for the operations that answer when it has ended.
import type { Fail } from '#contract/failure.ts'
import type { PushResult } from '#templates/push.ts'
import type { Pusher } from '#templates/pusher.ts'

/** Declared by operations that wait for a rollout. */
export const endedEarly = {
  rollout_canceled: 'The rollout was canceled before it had reached every project.',
  service_stopping: 'The service is stopping; the rollout goes on when it is back.',
} as const

/** Waits until a rollout has ended and returns its result. */
export async function finished(
  pusher: Pusher,
  pushId: number,
  fail: Fail<{ 400: typeof endedEarly }>,
): Promise<PushResult> {
  const { status, ...result } = await pusher.finish(pushId)
  const { counts } = result
  const results = `admin/pushes/get with id ${pushId} tells what was done in each project`
  if (status === 'done') return result
  if (status === 'canceled') {
    const total = counts.projects - counts.no_access
    const [reached, all] = [total - counts.pending, total].map((count) => count.toLocaleString('en'))
    throw fail(
      400,
      'rollout_canceled',
      `The rollout was canceled after ${reached} of ${all} projects; ${results}.`,
    )
  }
  throw fail(
    400,
    'service_stopping',
    `The service is stopping; the rollout goes on when it is back, and ${results}.`,
  )
}
