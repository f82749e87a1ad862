import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/unread',
  summary:
    'How many comments of each card of a board the caller has not read; cards without any are left out',
  audience: 'read',
  input: { board_id: integer() },
  success: 200,
  message: 'The unread comments.',
  output: record({ cards: list(record({ card_id: integer(), unread_count: integer() })) }),
  failures: [403, 404],
  async handle({ input: { board_id: id }, caller, db, fail }) {
    return inProjectOf(
      { db, caller, permission: 'read', kind: 'boards', id },
      fail,
      async ({ projectId }) => {
        const boards = await db.run(
          'select from boards where project_id = $1 and id = $2 and deleted_at is null',
          [projectId, id],
        )
        if (boards.length === 0) return undefined
        const cards = await db.run<{ card_id: number; unread_count: number }>(unreadStatement, [
          projectId,
          id,
          caller.id,
        ])
        return { cards }
      },
    )
  },
})

const unreadStatement = `
  select m.card_id, count(*) as unread_count
  from cards c
  join comments m on m.project_id = c.project_id and m.card_id = c.id and m.deleted_at is null and m.user_id <> $3
  where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null and not exists (
    select from comment_reads r where r.project_id = $1 and r.comment_id = m.id and r.user_id = $3)
  group by m.card_id order by m.card_id`
