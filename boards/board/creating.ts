import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { type Quotas, refuseGrowth } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import { orderInProject } from '../ordering.ts'
import { type Board, boardPayload, readBoard } from './board.ts'

interface NewBoard {
  title: string
  description?: string | null
  tool_key?: string | null
  icon?: string | null
  color?: string | null
}

/** Creates an empty board at the end of the project's list. */
export function createBoard(
  db: Database,
  quotas: Quotas,
  { projectId, actorId }: { projectId: number; actorId: number },
  wanted: NewBoard,
): Promise<Board | 'no tool'> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    if (wanted.tool_key && !(await hasTool(queries, projectId, wanted.tool_key))) return 'no tool'
    const present = await orderInProject(queries, 'boards', projectId)
    refuseGrowth(quotas, 'boardsPerProject', { before: present.length, after: present.length + 1 })
    const [made] = await sql<{ id: number; bytes: number }[]>`
      insert into boards (project_id, title, description, tool_key, icon, color, created_by)
      values (${projectId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.tool_key ?? null},
        ${wanted.icon ?? null}, ${wanted.color ?? null}, ${actorId}) returning id, bytes`
    const { id, bytes } = made as { id: number; bytes: number }
    const board = (await readBoard(queries, projectId, id)) as Board
    await recordEvent(queries, { boardId: id, actorId, kind: 'board.created', data: boardPayload(board) })
    await takeRoom(queries, quotas, { projectId, boardId: id }, { bytes })
    return board
  })
}

async function hasTool({ sql }: Queries, projectId: number, toolKey: string): Promise<boolean> {
  const projects = await sql`select from projects where id = ${projectId} and tool_keys ? ${toolKey}`
  return projects.length > 0
}
