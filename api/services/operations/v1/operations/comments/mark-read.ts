import { operation } from '#api/operation.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/mark-read',
  summary: 'Mark one comment of a card, or all of them, as read by the caller',
  audience: 'read',
  input: { card_id: integer(), comment_id: optional(integer()) },
  success: 200,
  message: 'Marked as read.',
  output: record({ read_count: integer() }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { card_id: id, comment_id: commentId = null }, caller, db, fail }) {
    const outcome = await inProjectOf(
      { db, caller, permission: 'read', kind: 'cards', id },
      fail,
      async ({ projectId }) => {
        const [row] = await db.run<{ has_comment: boolean; read_count: number }>(markStatement, [
          projectId,
          id,
          commentId,
          caller.id,
        ])
        return row
      },
    )
    if (!outcome.has_comment) throw fail(422, { comment_id: ['The selected comment id is invalid.'] })
    return { read_count: outcome.read_count }
  },
})

/** No row where the project has no such card. */
const markStatement = `
  with card as (select id from cards where project_id = $1 and id = $2 and deleted_at is null),
  named as (
    select m.id, m.user_id from comments m, card
    where m.project_id = $1 and m.card_id = card.id and m.deleted_at is null and ($3::bigint is null or m.id = $3)
  ),
  marked as (
    insert into comment_reads (project_id, comment_id, user_id)
    select $1, id, $4 from named where user_id <> $4
    on conflict (project_id, comment_id, user_id) do nothing
    returning comment_id
  )
  select $3::bigint is null or exists (select from named) as has_comment, (select count(*) from marked) as read_count
  from card`
