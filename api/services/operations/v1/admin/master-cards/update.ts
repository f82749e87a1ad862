import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { longestField, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { integer, record } from '#contract/schema.ts'
import { changeTemplateCard } from '#templates/card/changing.ts'
import { checkDescription, cleaned, optionalTitle } from '../../operations/fields.ts'
import { badTexts, masterCardInput } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/update',
  summary: 'Change a template card; projects receive it with the next rollout',
  audience: 'superadmin',
  on: { 'template card': 'id' },
  input: {
    id: integer(),
    title: optionalTitle,
    ...masterCardInput,
  },
  success: 200,
  message: 'The template card was updated.',
  output: record({ card }),
  failures: { 404: noMasterCard, 422: badTexts },
  writes: true,
  check: checkDescription,
  async handle({ input: { id, ...fields }, caller, db, quotas, readDescription, fail }) {
    const wanted = await cleaned(fields, { readDescription, fail })
    const changing = changeTemplateCard(db, quotas, { id, actorId: caller.id }, wanted)
    const changed = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (!changed) throw fail(404, 'master_card_not_found')
    if (changed === 'identifier taken') throw fail(422, { unique_identifier: 'taken' })
    return { card: changed }
  },
})
