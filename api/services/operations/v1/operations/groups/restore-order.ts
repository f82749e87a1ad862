import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { restoreOrder } from '#templates/restoring-order.ts'

export default operation({
  path: '/services/operations/v1/operations/groups/restore-order',
  summary:
    'Give the cards of a group the order of their template, then of their creation; or that of `card_ids`, to undo it',
  audience: 'work',
  on: { group: 'id' },
  input: { id: integer(), card_ids: optional(list(integer(), { max: 10_000 })) },
  success: 200,
  message: 'The order was restored.',
  output: record({ card_ids: list(integer()), previous_card_ids: list(integer()) }),
  failures: { 422: { card_ids: notFound } },
  writes: true,
  async handle({ input: { id, card_ids: wanted = null }, caller, projectId, db, fail }) {
    const restored = await restoreOrder(db, { projectId, id, actorId: caller.id }, wanted)
    if (restored === 'other cards') throw fail(422, { card_ids: 'not_found' })
    return restored
  },
})
