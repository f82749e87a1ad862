import { operation } from '#api/operation.ts'
import { deleteComments } from '#boards/comment/comment.ts'
import { integer, nothing } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/delete',
  summary: 'Delete a group with its cards and their comments',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The group was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    await inProjectOf({ db, caller, permission: 'manage', kind: 'groups', id }, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [group] = await sql<{ board_id: number; title: string; bytes: number }[]>`
          select board_id, title, bytes from groups
          where project_id = ${projectId} and id = ${id} and deleted_at is null`
        if (!group) return undefined
        const cards = await sql<{ id: number; bytes: number }[]>`
          update cards set deleted_at = now(), updated_at = now()
          where project_id = ${projectId} and group_id = ${id} and deleted_at is null returning id, bytes`
        await sql`
          update groups set deleted_at = now(), deleted_by = ${caller.id}, deleted_cards = ${cards.length}, updated_at = now()
          where project_id = ${projectId} and id = ${id}`
        const cardIds = cards.map((card) => card.id)
        const said = await deleteComments(queries, projectId, cardIds)
        const data = { group_id: id, title: group.title, cards_count: cards.length }
        await recordEvent(queries, {
          boardId: group.board_id,
          actorId: caller.id,
          kind: 'group.deleted',
          data,
        })
        await takeRoom(
          queries,
          quotas,
          { projectId, boardId: group.board_id },
          { cards: -cards.length, groups: -1, bytes: -group.bytes - sumOf(cards), commentBytes: -said },
        )
        return true
      }),
    )
    return []
  },
})
