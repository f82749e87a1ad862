import { archived, inactive, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { limitOn, limitReached, longestField, onLimit } from '#api/quota.ts'
import { card, cardTypes } from '#boards/card/card.ts'
import { createCard } from '#boards/card/creating.ts'
import { priorities } from '#boards/card/priorities.ts'
import { flag, integer, oneOf, optional, record, text, timestampWithOffset } from '#contract/schema.ts'
import { badDescription, checkDescription, cleaned, description, title } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/create',
  summary: 'Create a card at the end of a group',
  audience: 'work',
  on: { group: 'group_id', or: 'project' },
  input: {
    title,
    description,
    group_id: optional(integer()),
    status: optional(text({ max: 50 })),
    owner_id: optional(integer()),
    tag_id: optional(integer()),
    due_date: optional(timestampWithOffset()),
    due_is_date: optional(flag()),
    priority: optional(oneOf(priorities)),
  },
  success: 201,
  message: 'The card was created.',
  output: record({ card: record({ ...card.properties, card_type: oneOf(cardTypes) }) }),
  failures: {
    422: {
      ...limitOn('title', 'status', 'priority'),
      group_id: { ...archived, ...limitReached },
      description: { ...badDescription, ...limitReached },
      owner_id: notFound,
      tag_id: { ...notFound, ...inactive },
    },
  },
  writes: true,
  check: checkDescription,
  async handle({ input, caller, projectId, db, quotas, readDescription, fail }) {
    const { group_id: groupId = null, ...wanted } = await cleaned(input, { readDescription, fail })
    const created = await createCard(db, quotas, { projectId, groupId, actorId: caller.id }, wanted).catch(
      onLimit((limit, quota) =>
        fail(422, { [quota.startsWith('bytes') ? longestField(wanted) : 'group_id']: limit }),
      ),
    )
    if (created && 'invalid' in created) throw fail(422, created.invalid)
    return created
  },
})
