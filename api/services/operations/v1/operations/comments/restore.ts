import { operation } from '#api/operation.ts'
import { refusedByState } from '#api/quota.ts'
import { comment, readComment } from '#boards/comment/comment.ts'
import { integer, record } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { may } from '#identity/roles.ts'
import { sumOf, takeRoom } from '#quotas/room.ts'

interface DeletedComment {
  card_id: number
  board_id: number
  user_id: number
  /** With all its digits: the replies that went with the comment have the same. */
  deleted_at: string | null
  is_orphan: boolean
}

export default operation({
  path: '/services/operations/v1/operations/comments/restore',
  summary: 'Bring a deleted comment back with the replies that went with it: members their own, admins any',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The comment was restored.',
  output: record({ comment }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const question = { db, caller, permission: 'work', kind: 'comments', id, isDeleted: true } as const
    const restored = await inProjectOf(question, fail, ({ projectId, role }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [deleted] = await sql<DeletedComment[]>`
          select m.card_id, c.board_id, m.user_id, m.deleted_at::text as deleted_at,
            parent.deleted_at is not null as is_orphan
          from comments m join cards c on c.project_id = m.project_id and c.id = m.card_id and c.deleted_at is null
          left join comments parent on parent.project_id = m.project_id and parent.id = m.parent_comment_id
          where m.project_id = ${projectId} and m.id = ${id}
            and coalesce(m.deleted_at > kept_since(), true)`
        if (!deleted) return undefined
        if (deleted.deleted_at === null) throw fail(400, 'This comment is not deleted.')
        if (deleted.user_id !== caller.id && !may(caller, role, 'delete any card'))
          throw fail(403, 'Members restore only their own comments.')
        if (deleted.is_orphan) throw fail(400, 'The comment that this one answers was deleted.')
        const restored = await sql<{ bytes: number }[]>`
          update comments set deleted_at = null where project_id = ${projectId}
            and (id = ${id} or parent_comment_id = ${id}) and deleted_at = ${deleted.deleted_at}::timestamptz
          returning octet_length(comment) as bytes`
        await recordEvent(queries, {
          boardId: deleted.board_id,
          cardId: deleted.card_id,
          actorId: caller.id,
          kind: 'comment.restored',
          data: { comment_id: id },
        })
        await takeRoom(
          queries,
          quotas,
          { projectId, boardId: deleted.board_id },
          { commentBytes: sumOf(restored), commentedId: deleted.card_id },
        )
        return readComment(queries, caller.id, projectId, id)
      }),
    ).catch(refusedByState(fail))
    return { comment: restored }
  },
})
