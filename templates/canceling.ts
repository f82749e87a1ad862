import type { Queries } from '#database/connect.ts'
import { closePush } from './closing.ts'

/** Cancels a rollout: committed batches stay, batches at work are rolled back. False if it has ended or does not exist. */
export async function cancelPush(queries: Queries, pushId: number): Promise<boolean> {
  const { sql } = queries
  const canceled = await sql`
    update pushes set status = 'canceling' where id = ${pushId} and status in ('running', 'canceling') returning id`
  await closePush(queries, pushId)
  return canceled.length > 0
}
