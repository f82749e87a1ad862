import { noMasterCard, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { moveTemplateCard } from '#templates/card/moving.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/move',
  summary:
    'Move a template card to a position in its group or another group of its template, by default to the end',
  audience: 'superadmin',
  on: { 'template card': 'id' },
  input: {
    id: integer(),
    group_id: optional(integer({ about: 'The id of another group of the template.' })),
    position: optional(integer()),
  },
  success: 200,
  message: 'The template card was moved.',
  output: record({ card }),
  failures: { 404: noMasterCard, 422: { group_id: { ...notFound, ...limitReached } } },
  writes: true,
  async handle({ input: { id, group_id: groupId, position }, caller, db, quotas, fail }) {
    const action = { id, actorId: caller.id }
    const place = { groupId: groupId ?? null, position: position ?? null }
    const moving = moveTemplateCard(db, quotas, action, place)
    const moved = await moving.catch(onLimit((limit) => fail(422, { group_id: limit })))
    if (!moved) throw fail(404, 'master_card_not_found')
    if (moved === 'no group') throw fail(422, { group_id: 'not_found' })
    return { card: moved }
  },
})
