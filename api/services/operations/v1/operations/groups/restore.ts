import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { restoredParents, restoreGroup, restoreParents, withParents } from '#boards/board/restoring.ts'
import { group, readGroup } from '#boards/group/group.ts'
import { integer, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/restore',
  summary:
    'Bring a deleted group back with the cards and comments that went with it, and with its board where asked',
  audience: 'manage',
  input: { id: integer(), with_parents: withParents },
  success: 200,
  message: 'The group was restored.',
  output: record({ group, restored_parents: restoredParents }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id, with_parents }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'manage', kind: 'groups', id, isDeleted: true } as const
    return inProjectOf(question, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const boardId = with_parents ? await boardOf(queries, projectId, id) : undefined
        const parents =
          boardId === undefined
            ? []
            : await restoreParents(queries, quotas, { projectId, actorId: caller.id, boardId })
        const outcome = await restoreGroup(queries, quotas, { projectId, id, actorId: caller.id })
        if (outcome === 'missing') return undefined
        if (outcome === 'board deleted')
          throw fail(400, 'The board of this group was deleted; with_parents restores both.')
        // It may have come back with its board already.
        if (outcome === 'not deleted' && parents.length === 0) throw fail(400, 'This group is not deleted.')
        const restored = await readGroup(queries, projectId, id)
        return restored && { group: restored, restored_parents: parents }
      }),
    ).catch(refusedByState(fail))
  },
})

async function boardOf({ sql }: Queries, projectId: number, id: number): Promise<number | undefined> {
  const [found] = await sql<{ board_id: number }[]>`
    select board_id from groups where project_id = ${projectId} and id = ${id}
      and coalesce(deleted_at > kept_since(), true)`
  return found?.board_id
}
