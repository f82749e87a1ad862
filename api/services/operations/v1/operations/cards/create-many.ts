import { archived } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { createCards } from '#boards/card/creating.ts'
import { mostCards } from '#boards/card/several.ts'
import { integer, list, optional, record } from '#contract/schema.ts'
import { title } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/create-many',
  summary: `Create up to ${mostCards} cards at the end of a group from their titles, all or none`,
  audience: 'work',
  on: { group: 'group_id', or: 'project' },
  input: { titles: list(title, { max: mostCards }), group_id: optional(integer()) },
  success: 201,
  message: 'The cards were created.',
  output: record({ cards: list(card) }),
  failures: { 422: { group_id: { ...archived, ...limitReached } } },
  writes: true,
  async handle({ input: { titles, group_id: groupId = null }, caller, projectId, db, quotas, fail }) {
    const creating = createCards(db, quotas, { projectId, groupId, actorId: caller.id }, titles)
    const cards = await creating.catch(onLimit((limit) => fail(422, { group_id: limit })))
    if (cards === 'archived') throw fail(422, { group_id: 'archived' })
    return cards && { cards }
  },
})
