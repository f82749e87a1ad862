import type { Queries } from '#database/connect.ts'
import { closePush } from './closing.ts'

/** What is committed stays, what is being worked on is undone; false where the push has ended or is none. */
export async function cancelPush(queries: Queries, pushId: number): Promise<boolean> {
  const { sql } = queries
  const canceled = await sql`
    update pushes set status = 'canceling' where id = ${pushId} and status in ('running', 'canceling') returning id`
  await closePush(queries, pushId)
  return canceled.length > 0
}
