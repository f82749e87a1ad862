import { inactive, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { changeCard } from '#boards/card/changing.ts'
import { mentioned } from '#boards/mentioning.ts'
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
    if_version: optional(text({ max: 100 })),
    mentions: mentioned,
  },
  success: 200,
  message: 'The card was updated.',
  output: record({ card }),
  failures: {
    409: {
      description_changed:
        'Someone else has changed the description since it was read. Compare both and save again.',
    },
    422: {
      ...limitOn('title', 'short_description', 'status', 'priority'),
      description: { ...badDescription, ...limitReached },
      owner_id: notFound,
      tag_id: { ...notFound, ...inactive },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input, caller, projectId, db, quotas, readDescription, fail }) {
    const { id, if_version: ifVersion, mentions, ...fields } = input
    const wanted = await cleaned(fields, { readDescription, fail })
    const described = { ifVersion: ifVersion ?? undefined, mentioned: mentions ?? undefined }
    const changing = changeCard(db, quotas, { projectId, id, actorId: caller.id }, wanted, described)
    const changed = await changing.catch(onLimit((limit) => fail(422, { [longestField(wanted)]: limit })))
    if (changed === 'stale') throw fail(409, 'description_changed')
    if (changed && 'invalid' in changed) throw fail(422, changed.invalid)
    return changed && { card: changed }
  },
})
