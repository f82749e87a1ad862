import { operation } from '#api/operation.ts'
import { pageInput, pageOutput, readPage } from '#api/page.ts'
import { comment, readComments } from '#boards/comment/comment.ts'
import { integer, list, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'

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
    const page = readPage(input, fail)
    const { card_id: cardId } = input
    const question = { db, caller, permission: 'read', kind: 'cards', id: cardId } as const
    return inProjectOf(question, fail, async ({ projectId }) => {
      const cards = await db.run(
        'select from cards where project_id = $1 and id = $2 and deleted_at is null',
        [projectId, cardId],
      )
      if (cards.length === 0) return undefined
      return readComments(db, caller.id, { projectId, cardId }, page, 'asc')
    })
  },
})
