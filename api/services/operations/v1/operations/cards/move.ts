import { archived, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { moveCard } from '#boards/card/moving.ts'
import { usual } from '#contract/failure.ts'
import { integer, optional, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/move',
  summary: 'Move a card to a position in its group or another one; to the end by default',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 200,
  message: 'The card was moved.',
  output: record({ card }),
  failures: { 403: usual[403], 422: { group_id: { ...notFound, ...archived, ...limitReached } } },
  writes: true,
  async handle({ input, caller, projectId, isForeign, db, quotas, fail }) {
    const { id, group_id: groupId = null, position = null } = input
    const moving = moveCard(db, quotas, { projectId, id, actorId: caller.id }, { groupId, position })
    const moved = await moving.catch(onLimit((limit) => fail(422, { group_id: limit })))
    if (moved === 'no group' && (await isForeign('group', groupId as number))) throw fail(403, 'forbidden')
    if (moved === 'no group') throw fail(422, { group_id: 'not_found' })
    if (moved === 'archived') throw fail(422, { group_id: 'archived' })
    return moved && { card: moved }
  },
})
