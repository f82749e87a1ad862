import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { type Comment, comment } from './comment.ts'

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
  async handle({ input, caller, db, live, http, quotas, fail }) {
    const { card_id: id, parent_comment_id: parentId = null } = input
    const created = await inProjectOf(
      { db, caller, permission: 'work', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        const [made] = await db
          .run<{ is_parent_valid: boolean; comment: Comment | null }>(insertStatement, [
            projectId,
            id,
            caller.id,
            input.comment,
            parentId,
            JSON.stringify(quotas),
          ])
          .catch(refusedOn(fail, (quota) => (quota === 'commentsPerCard' ? 'card_id' : 'comment')))
        if (made?.comment) live.announce(http, projectId)
        return made
      },
    )
    if (!created.comment)
      throw fail(422, { parent_comment_id: ['The selected parent comment id is invalid.'] })
    return { comment: created.comment }
  },
})

/** Replies nest one level: a reply to a reply hangs off the same parent. The locks keep card and parent from being deleted meanwhile. */
const insertStatement = `
  with card as (
    select project_id, board_id, id, title from cards where project_id = $1 and id = $2 and deleted_at is null for share
  ),
  parent as (
    select top.id from comments named
    join comments top on top.project_id = named.project_id and top.id = coalesce(named.parent_comment_id, named.id)
    where named.project_id = $1 and named.card_id = $2 and named.id = $5
      and named.deleted_at is null and top.deleted_at is null for key share of top
  ),
  valid as (select $5::bigint is null or exists (select from parent) as is_parent_valid),
  m as (
    insert into comments (project_id, card_id, user_id, comment, parent_comment_id)
    select project_id, id, $3, $4, (select id from parent) from card, valid where is_parent_valid
    returning *
  ),
  event as (
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
    select card.project_id, card.board_id, card.id, $3, 'comment.created', jsonb_build_object('comment_id', m.id)
    from m, card
  )
  select valid.is_parent_valid, (select row_to_json(made) from (
    select id, project_id, card_id, user_id, parent_comment_id, comment, true as is_read,
      wire_time(created_at) as read_at, wire_time(created_at) as created_at, wire_time(updated_at) as updated_at,
      wire_time(deleted_at) as deleted_at
    from m) made) as comment,
    (select take_room(card.project_id, card.board_id, $6::text::jsonb, more_comment_bytes => octet_length(m.comment),
      card => card.id)::text from m, card)
  from card, valid`
