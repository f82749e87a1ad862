import { operation } from '#api/operation.ts'
import { pageInput, pageOutput, readPage } from '#api/page.ts'
import { comment } from '#boards/comment/comment.ts'
import { listComments } from '#boards/comment/reading.ts'
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
  async handle({ input: { card_id: id, ...paging }, caller, db, fail }) {
    const page = readPage(paging, fail)
    return inProjectOf({ db, caller, permission: 'read', kind: 'cards', id }, fail, ({ projectId }) =>
      listComments(db, { projectId, cardId: id, readerId: caller.id }, page),
    )
  },
})
