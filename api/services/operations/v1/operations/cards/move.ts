import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { moveCard } from '#boards/card/moving.ts'
import { usualMessages } from '#contract/operation.ts'
import { integer, optional, record } from '#contract/schema.ts'
import { invalid } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/move',
  summary: 'Move a card to a place of its group or of another one; without a place, to the end',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The card was moved.',
  output: record({ card }),
  failures: [403, 422],
  writes: true,
  async handle({ input, caller, projectId, isForeign, db, quotas, fail }) {
    const { id, group_id: groupId = null, position = null } = input
    const moving = moveCard(db, quotas, { projectId, id, actorId: caller.id }, { groupId, position })
    const moved = await moving.catch(refusedOn(fail, 'group_id'))
    if (moved === 'no group' && (await isForeign('group', groupId as number)))
      throw fail(403, usualMessages[403])
    if (moved === 'no group') throw fail(422, invalid('group_id'))
    return moved && { card: moved }
  },
})
