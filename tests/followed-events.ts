// Lets a test wait for what the follower of events does in the background.
import type { Queries } from '#database/connect.ts'
import { until } from './event-stream.ts'

/** Until all events of the project have become items of inboxes. */
export const untilFollowed = ({ sql }: Queries, projectId: number): Promise<void> =>
  until(async () => {
    const [row] = await sql<{ is_done: boolean }[]>`
      select v.version = p.version as is_done from project_versions v
      join inbox_positions p on p.project_id = ${projectId} where v.project_id = ${projectId}`
    return row?.is_done ?? false
  }, 'following')
