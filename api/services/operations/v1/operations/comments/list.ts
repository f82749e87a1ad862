import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { type Comment, comment, commentColumns, commentsWithReading } from './comment.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/list',
  summary: 'The comments of a card, the oldest first, a page at a time',
  audience: 'read',
  input: { card_id: integer(), ...pageInput },
  success: 200,
  message: 'The comments of the card.',
  output: record({ comments: list(comment), ...pageOutput }),
  failures: [403, 404, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const question = { db, caller, permission: 'read', kind: 'cards', id: input.card_id } as const
    const rows = await inProjectOf(question, fail, async ({ projectId }) => {
      const cards = await db.run(
        'select from cards where project_id = $1 and id = $2 and deleted_at is null',
        [projectId, input.card_id],
      )
      if (cards.length === 0) return undefined
      return db.run<Comment>(
        `select ${commentColumns} from ${commentsWithReading}
         where m.project_id = $2 and m.card_id = $3 and m.deleted_at is null and m.id > coalesce($4, 0)
         order by m.id limit $5`,
        [caller.id, projectId, input.card_id, after, limit + 1],
      )
    })
    const page = pageOf(rows, limit)
    return { comments: page.rows, next_cursor: page.next_cursor }
  },
})
