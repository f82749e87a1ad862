import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { card, priorities } from '#boards/card/card.ts'
import { createCard } from '#boards/card/creating.ts'
import { integer, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { inProjectOfOrElse } from '#identity/in-project.ts'
import { cleaned, description, invalid, title } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/create',
  summary: 'Create a card at the end of a group',
  audience: 'work',
  input: {
    title,
    description,
    group_id: optional(integer()),
    status: optional(text({ max: 50 })),
    owner_id: optional(integer()),
    tag_id: optional(integer()),
    due_date: optional(timestamp()),
    priority: optional(oneOf(priorities)),
  },
  success: 201,
  message: 'The card was created.',
  output: record({ card: record({ ...card.properties, card_type: text() }) }),
  failures: [403, 422],
  writes: true,
  async handle({ input, caller, db, quotas, readDescription, fail }) {
    const { group_id: groupId = null, ...wanted } = await cleaned(input, { readDescription, fail })
    const create = (projectId: number) =>
      createCard(db, quotas, { projectId, groupId, actorId: caller.id }, wanted).catch(
        refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'group_id')),
      )
    const missingGroup = () => fail(422, invalid('group_id'))
    const created =
      groupId === null
        ? await create(currentProject(caller, 'work', fail))
        : await inProjectOfOrElse(
            { db, caller, permission: 'work', kind: 'groups', id: groupId },
            fail,
            ({ projectId }) => create(projectId),
            missingGroup,
          )
    if (!created) throw missingGroup()
    if ('invalid' in created) throw fail(422, invalid(...created.invalid))
    return created
  },
})
