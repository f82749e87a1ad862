import { operation } from '#api/operation.ts'
import { integer, list, nullable, oneOf, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readProvenance, resettable } from '#templates/copies.ts'
import { comment, readComments } from '../comments/comment.ts'
import { card, readCard } from './card.ts'

/** Of a card that came from a template: its master, and in what the project has made it its own. */
const provenance = record({
  master_card_id: integer(),
  revision: integer(),
  newest_revision: integer(),
  changed_fields: list(oneOf(resettable)),
})

export default operation({
  path: '/services/operations/v1/operations/cards/get',
  summary: 'A card with its comments, the oldest first, and what it has from a template',
  audience: 'read',
  input: { id: integer() },
  success: 200,
  message: 'The card.',
  output: record({ card, comments: list(comment), provenance: nullable(provenance) }),
  failures: [403, 404],
  async handle({ input: { id }, caller, db, fail }) {
    return inProjectOf({ db, caller, permission: 'read', kind: 'cards', id }, fail, async ({ projectId }) => {
      const [found, comments, origin] = await Promise.all([
        readCard(db, projectId, id),
        readComments(db, caller.id, projectId, id),
        readProvenance(db, projectId, id),
      ])
      return found && { card: found, comments, provenance: origin }
    })
  },
})
