import type { Queries } from '#database/connect.ts'
import { closeRollout } from './closing.ts'

/** Cancels a rollout: committed batches stay, batches at work are rolled back. False if it has ended or does not exist. */
export async function cancelRollout(queries: Queries, rolloutId: number): Promise<boolean> {
  const { sql } = queries
  const canceled = await sql`
    update rollouts set status = 'canceling', next_stage_at = null where id = ${rolloutId} and status in ('running', 'waiting', 'paused', 'canceling') returning id`
  await closeRollout(queries, rolloutId)
  return canceled.length > 0
}
