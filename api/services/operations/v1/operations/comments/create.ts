import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { type Comment, comment } from '#boards/comment/comment.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { changeAtOnce } from '#events/change.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/create',
  summary: 'Comment on a card, or reply to a comment',
  audience: 'work',
  input: { card_id: integer(), comment: text(), parent_comment_id: optional(integer()) },
  success: 201,
  message: 'The comment was created.',
  output: record({ comment }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input, caller, db, quotas, fail }) {
    const { card_id: id, parent_comment_id: parentId = null } = input
    const created = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        const values = [projectId, id, caller.id, input.comment, parentId, JSON.stringify(quotas)]
        const [made] = await changeAtOnce<Made>(db, projectId, createStatement, values).catch(
          refusedOn(fail, (quota) => (quota === 'commentsPerCard' ? 'card_id' : 'comment')),
        )
        return made?.has_card ? made : undefined
      },
    )
    if (!created.comment)
      throw fail(422, { parent_comment_id: ['The selected parent comment id is invalid.'] })
    return { comment: created.comment }
  },
})

interface Made {
  has_card: boolean
  is_parent_valid: boolean
  comment: Comment | null
}

/** One round trip; the database's function says what is done. */
const createStatement = `
  select has_card, is_parent_valid, (select row_to_json(told) from (
    select id, project_id, card_id, user_id, parent_comment_id, comment, true as is_read,
      wire_time(created_at) as read_at, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at,
      wire_time(deleted_at) as deleted_at
    from (select (made).*) m where id is not null) told) as comment
  from create_comment($1, $2, $3, $4, $5, $6::text::jsonb)`
