import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { board, readBoard } from '#boards/board/board.ts'
import { toldOf } from '#boards/changes.ts'
import { orderInProject } from '#boards/ordering.ts'
import { record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { currentProject } from '#identity/caller.ts'
import { refuseGrowth } from '#quotas/quotas.ts'
import { takeRoom } from '#quotas/room.ts'
import { cleaned, color, description, icon, title, toolKey } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/create',
  summary: 'Create an empty board at the end of the list',
  audience: 'manage',
  input: { title, description, tool_key: toolKey, icon, color },
  success: 201,
  message: 'The board was created.',
  output: record({ board }),
  failures: [403, 422],
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const projectId = currentProject(caller, 'manage', fail)
    const wanted = await cleaned(input, { readDescription, fail })
    const creation = change(db, projectId, async (queries) => {
      const { sql } = queries
      if (wanted.tool_key) {
        const tools =
          await sql`select from projects where id = ${projectId} and tool_keys ? ${wanted.tool_key}`
        if (tools.length === 0) throw fail(422, { tool_key: ['The selected tool key is invalid.'] })
      }
      const present = await orderInProject(queries, 'boards', projectId)
      refuseGrowth(quotas, 'boardsPerProject', { before: present.length, after: present.length + 1 })
      const [made] = await sql<{ id: number; bytes: number }[]>`
        insert into boards (project_id, title, description, tool_key, icon, color, created_by)
        values (${projectId}, ${wanted.title}, ${wanted.description ?? null}, ${wanted.tool_key ?? null},
          ${wanted.icon ?? null}, ${wanted.color ?? null}, ${caller.id}) returning id, bytes`
      const { id, bytes } = made as { id: number; bytes: number }
      await recordEvent(queries, {
        boardId: id,
        actorId: caller.id,
        kind: 'board.created',
        data: { title: wanted.title, position: present.length + 1, ...toldOf(wanted) },
      })
      await takeRoom(queries, quotas, { projectId, boardId: id }, { bytes })
      return readBoard(queries, projectId, id)
    })
    const created = await creation.catch(
      refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'title')),
    )
    return { board: created as NonNullable<typeof created> }
  },
})
