import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, readPage } from '#api/page.ts'
import { comment } from '#boards/comment/comment.ts'
import { listComments } from '#boards/comment/reading.ts'
import { integer, list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/comments/list',
  summary: 'List the comments of a card, oldest first, in pages',
  audience: 'read',
  on: { card: 'card_id' },
  input: { card_id: integer(), ...pageInput },
  success: 200,
  message: 'The comments of the card.',
  output: record({ comments: list(comment), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input: { card_id: cardId, ...paging }, caller, projectId, db, fail }) {
    return listComments(db, { projectId, cardId, readerId: caller.id }, readPage(paging, fail))
  },
})
