import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/delete',
  summary: 'Delete a comment with its replies: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The comment was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    await inProjectOf({ db, caller, permission: 'work', kind: 'comments', id }, fail, ({ projectId, role }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [found] = await sql<{ card_id: number; board_id: number; user_id: number }[]>`
          select m.card_id, c.board_id, m.user_id from comments m
          join cards c on c.project_id = m.project_id and c.id = m.card_id
          where m.project_id = ${projectId} and m.id = ${id} and m.deleted_at is null`
        if (!found) return undefined
        if (found.user_id !== caller.id && !may(caller, role, 'delete any card'))
          throw fail(403, 'Members delete only their own comments.')
        const deleted = await sql<{ bytes: number }[]>`
          update comments set deleted_at = now()
          where project_id = ${projectId} and (id = ${id} or parent_comment_id = ${id}) and deleted_at is null
          returning octet_length(comment) as bytes`
        await recordEvent(queries, {
          boardId: found.board_id,
          cardId: found.card_id,
          actorId: caller.id,
          kind: 'comment.deleted',
          data: { comment_id: id },
        })
        await takeRoom(
          queries,
          quotas,
          { projectId, boardId: found.board_id },
          { commentBytes: -sumOf(deleted) },
        )
        return true
      }),
    )
    return []
  },
})
