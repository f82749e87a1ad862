import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { comment, readComment } from '#boards/comment/comment.ts'
import { integer, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { takeRoom } from '#quotas/room.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/update',
  summary: 'Change the text of an own comment',
  audience: 'work',
  input: { id: integer(), comment: text() },
  success: 200,
  message: 'The comment was updated.',
  output: record({ comment }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input, caller, db, quotas, fail }) {
    const { id } = input
    const updated = await inProjectOf(
      { db, caller, permission: 'work', kind: 'comments', id },
      fail,
      ({ projectId }) =>
        change(db, projectId, async (queries) => {
          const { sql } = queries
          const [found] = await sql<
            { card_id: number; board_id: number; user_id: number; comment: string }[]
          >`
          select m.card_id, c.board_id, m.user_id, m.comment from comments m
          join cards c on c.project_id = m.project_id and c.id = m.card_id
          where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
          if (!found) return undefined
          if (found.user_id !== caller.id) throw fail(403, 'Only its author can change a comment.')
          if (found.comment === input.comment) return readComment(queries, caller.id, projectId, id)
          await sql`
          update comments set comment = ${input.comment}, updated_at = now()
          where project_id = ${projectId} and id = ${id}`
          await recordEvent(queries, {
            boardId: found.board_id,
            cardId: found.card_id,
            actorId: caller.id,
            kind: 'comment.updated',
            data: { comment_id: id },
          })
          await takeRoom(
            queries,
            quotas,
            { projectId, boardId: found.board_id },
            { commentBytes: Buffer.byteLength(input.comment) - Buffer.byteLength(found.comment) },
          )
          return readComment(queries, caller.id, projectId, id)
        }),
    ).catch(refusedOn(fail, 'comment'))
    return { comment: updated }
  },
})
