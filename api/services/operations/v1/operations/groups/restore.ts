import { writeEvent } from '#api/event.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { restoreCards } from '../trash/restore-cards.ts'
import { group, lockOrder, readGroup } from './group.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/restore',
  summary: 'Bring a deleted group back with the cards and comments that went with it',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The group was restored.',
  output: record({ group }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, live, http, fail }) {
    const question = { db, caller, permission: 'manage', kind: 'groups', id, isDeleted: true } as const
    const restored = await inProjectOf(question, fail, ({ projectId }) =>
      db.transaction(async (queries) => {
        const { sql } = queries
        const [found] = await sql<{ board_id: number }[]>`
          select board_id from groups where project_id = ${projectId} and id = ${id}`
        if (!found) return undefined
        // The board is locked first, as whoever deletes it does.
        await lockOrder(queries, projectId, found.board_id)
        const [deleted] = await sql<{ deleted_at: string | null; is_board_there: boolean }[]>`
          select g.deleted_at::text as deleted_at, b.deleted_at is null as is_board_there
          from groups g join boards b on b.project_id = g.project_id and b.id = g.board_id
          where g.project_id = ${projectId} and g.id = ${id} and coalesce(g.deleted_at > kept_since(), true)
          for update of g`
        if (!deleted) return undefined
        if (deleted.deleted_at === null) throw fail(400, 'This group is not deleted.')
        if (!deleted.is_board_there)
          throw fail(400, 'The board of this group was deleted; restore the board.')
        await sql`
          update groups set deleted_at = null, updated_at = now(), rank = case when exists (
              select from groups other where other.project_id = ${projectId} and other.board_id = groups.board_id
                and other.rank = groups.rank and other.deleted_at is null)
            then list_end() else rank end
          where project_id = ${projectId} and id = ${id}`
        const count = await restoreCards(queries, projectId, [id], deleted.deleted_at)
        await writeEvent(queries, {
          projectId,
          boardId: found.board_id,
          actorId: caller.id,
          kind: 'group.restored',
          data: { group_id: id, cards_count: count },
        })
        live.announce(http, projectId)
        return readGroup(queries, projectId, id)
      }),
    )
    return { group: restored }
  },
})
