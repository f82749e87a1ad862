import { inactive, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { changeCard } from '#boards/card/changing.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { badDescription, checkDescription, cleaned, description, optionalTitle } from '../fields.ts'
import { changeable } from './fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/update',
  summary: 'Change fields of a card; use cards/move to move it',
  audience: 'work',
  on: { card: 'id' },
  input: {
    id: integer(),
    title: optionalTitle,
    description,
    short_description: optional(text()),
    ...changeable,
  },
  success: 200,
  message: 'The card was updated.',
  output: record({ card }),
  failures: {
    422: {
      ...limitOn('title', 'short_description', 'status', 'priority'),
      description: { ...badDescription, ...limitReached },
      owner_id: notFound,
      tag_id: { ...notFound, ...inactive },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, projectId, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeCard(db, quotas, { projectId, id, actorId: caller.id }, wanted)
    const changed = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (changed && 'invalid' in changed) throw fail(422, changed.invalid)
    return changed && { card: changed }
  },
})
