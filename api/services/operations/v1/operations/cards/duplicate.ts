import { archived, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { duplicateCard } from '#boards/card/duplicating.ts'
import { usual } from '#contract/failure.ts'
import { integer, optional, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/duplicate',
  summary: 'Copy a card below itself, or into another group of any board of its project',
  about:
    'The copy has the title, descriptions, status, assignee, tag, due date and priority. Comments, snooze, check and the link to a template stay with the original.',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer(), group_id: optional(integer()), position: optional(integer()) },
  success: 201,
  message: 'The card was duplicated.',
  output: record({ card }),
  failures: { 403: usual[403], 422: { group_id: { ...notFound, ...archived, ...limitReached } } },
  writes: true,
  async handle({ input, caller, projectId, isForeign, db, quotas, fail }) {
    const { id, group_id: groupId = null, position = null } = input
    const copying = duplicateCard(db, quotas, { projectId, id, actorId: caller.id }, { groupId, position })
    const made = await copying.catch(onLimit((limit) => fail(422, { group_id: limit })))
    if (made === 'no group' && (await isForeign('group', groupId as number))) throw fail(403, 'forbidden')
    if (made === 'no group') throw fail(422, { group_id: 'not_found' })
    if (made === 'archived') throw fail(422, { group_id: 'archived' })
    return made && { card: made }
  },
})
