import { operation } from '#api/operation.ts'
import { deleteComments } from '#boards/comment/comment.ts'
import { integer, nothing } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'
import { takeRoom } from '#quotas/room.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/delete',
  summary: 'Delete a card with its comments: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The card was deleted.',
  output: nothing,
  failures: [403, 404],
  bodies: { 403: 'error, message, data' },
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    await inProjectOf({ db, caller, permission: 'work', kind: 'cards', id }, fail, ({ projectId, role }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [card] = await sql<
          { board_id: number; title: string; created_by: number | null; bytes: number }[]
        >`
          select board_id, title, created_by, bytes from cards
          where project_id = ${projectId} and id = ${id} and deleted_at is null`
        if (!card) return undefined
        if (card.created_by !== caller.id && !may(caller, role, 'delete any card'))
          throw fail(403, 'Members delete only the cards that they have made.')
        await sql`
          update cards set deleted_at = now(), deleted_by = ${caller.id}, updated_at = now()
          where project_id = ${projectId} and id = ${id}`
        const said = await deleteComments(queries, projectId, [id])
        await recordEvent(queries, {
          boardId: card.board_id,
          cardId: id,
          actorId: caller.id,
          kind: 'card.deleted',
          data: { title: card.title },
        })
        await takeRoom(
          queries,
          quotas,
          { projectId, boardId: card.board_id },
          { cards: -1, bytes: -card.bytes, commentBytes: -said },
        )
        return true
      }),
    )
    return []
  },
})
