import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { comment, readComments } from '../comments/comment.ts'
import { card, readCard } from './card.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/get',
  summary: 'A card with its comments, the oldest first',
  audience: 'read',
  input: { id: integer() },
  success: 200,
  message: 'The card.',
  output: record({ card, comments: list(comment) }),
  failures: [403, 404],
  async handle({ input: { id }, caller, db, fail }) {
    return inProjectOf({ db, caller, permission: 'read', kind: 'cards', id }, fail, async ({ projectId }) => {
      const [found, comments] = await Promise.all([
        readCard(db, projectId, id),
        readComments(db, caller.id, projectId, id),
      ])
      return found && { card: found, comments }
    })
  },
})
