import type { Queries } from '#database/connect.ts'

/**
 * Cancels a rollout: committed batches stay, batches at work are rolled back, and then `closeRollout` ends it. False if it has ended or does
 * not exist.
 */
export async function cancelRollout({ sql }: Queries, rolloutId: number): Promise<boolean> {
  const canceled = await sql`
    update rollouts set status = 'canceling', pause_reason = null, next_stage_at = null where id = ${rolloutId} and status in ('running', 'waiting', 'paused', 'canceling') returning id`
  return canceled.length > 0
}
