import { notFromTemplate } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { resettable } from '#templates/copies.ts'
import { resetCard } from '#templates/resetting.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/reset',
  summary: 'Reset fields of a card to the values from its template',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer(), fields: list(oneOf(resettable), { max: resettable.length }) },
  success: 200,
  message: 'The card was reset.',
  output: record({ card }),
  failures: {
    400: {
      ...limitReached,
      ...notFromTemplate,
      group_deleted: 'The group of this card in its template was deleted or archived. Move the card instead.',
    },
  },
  writes: true,
  async handle({ input: { id, fields }, caller, projectId, db, quotas, fail }) {
    const resetting = resetCard(db, quotas, { projectId, id, actorId: caller.id }, fields)
    const reset = await resetting.catch(onLimit((limit) => fail(400, ...limit)))
    if (reset === 'no master') throw fail(400, 'not_from_template')
    if (reset === 'no group') throw fail(400, 'group_deleted')
    return reset && { card: reset }
  },
})
