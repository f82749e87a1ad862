import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { toldOf } from '#boards/changes.ts'
import { group, orderOnBoard, readGroup } from '#boards/group/group.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { takeRoom } from '#quotas/room.ts'
import { cleaned, color, description, icon, title } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/create',
  summary: 'Create a group at the end of a board',
  audience: 'manage',
  input: { board_id: integer(), title, description, type: optional(text({ max: 50 })), color, icon },
  success: 201,
  message: 'The group was created.',
  output: record({ group }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const { board_id: boardId, ...wanted } = await cleaned(input, { readDescription, fail })
    const question = { db, caller, permission: 'manage', kind: 'boards', id: boardId } as const
    const created = await inProjectOf(question, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const boards = await sql`
          select from boards where project_id = ${projectId} and id = ${boardId} and deleted_at is null`
        if (boards.length === 0) return undefined
        const [made] = await sql<{ id: number; bytes: number }[]>`
          insert into groups (project_id, board_id, title, description, type, color, icon, created_by)
          values (${projectId}, ${boardId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.type ?? null},
            ${wanted.color ?? null}, ${wanted.icon ?? null}, ${caller.id}) returning id, bytes`
        const { id, bytes } = made as { id: number; bytes: number }
        const { length: position } = await orderOnBoard(queries, projectId, boardId)
        const data = { group_id: id, title: wanted.title, position, ...toldOf(wanted) }
        await recordEvent(queries, { boardId, actorId: caller.id, kind: 'group.created', data })
        await takeRoom(queries, quotas, { projectId, boardId }, { groups: 1, bytes })
        return readGroup(queries, projectId, id)
      }),
    ).catch(refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'board_id')))
    return { group: created }
  },
})
