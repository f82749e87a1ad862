import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import { type Group, groupPayload, readGroup } from './group.ts'

interface NewGroup {
  title: string
  description?: string | null
  type?: string | null
  color?: string | null
  icon?: string | null
}

/** Creates a group at the end of a board; undefined if the project has no such board. */
export function createGroup(
  db: Database,
  quotas: Quotas,
  { projectId, boardId, actorId }: { projectId: number; boardId: number; actorId: number },
  wanted: NewGroup,
): Promise<Group | undefined> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const boards = await sql`
      select from boards where project_id = ${projectId} and id = ${boardId} and deleted_at is null`
    if (boards.length === 0) return undefined
    const [made] = await sql<{ id: number; bytes: number }[]>`
      insert into groups (project_id, board_id, title, description, type, color, icon, created_by)
      values (${projectId}, ${boardId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.type ?? null},
        ${wanted.color ?? null}, ${wanted.icon ?? null}, ${actorId}) returning id, bytes`
    const { id, bytes } = made as { id: number; bytes: number }
    const group = (await readGroup(queries, projectId, id)) as Group
    await recordEvent(queries, { boardId, actorId, kind: 'group.created', data: groupPayload(group) })
    await takeRoom(queries, quotas, { projectId, boardId }, { groups: 1, bytes })
    return group
  })
}
