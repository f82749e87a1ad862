import { operation } from '#api/operation.ts'
import { longestField, refusedOn } from '#api/quota.ts'
import { type Card, card, cardColumns, priorities } from '#boards/card/card.ts'
import { integer, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { changeAtOnce } from '#events/change.ts'
import { currentProject } from '#identity/caller.ts'
import { inProjectOfOrElse } from '#identity/in-project.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { cleaned, description, title } from '../fields.ts'

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
    const { group_id: groupId, ...wanted } = await cleaned(input, { readDescription, fail })
    const create = (projectId: number) =>
      insertCard(db, quotas, projectId, caller.id, groupId ?? null, wanted).catch(
        refusedOn(fail, (quota) => (quota.startsWith('bytes') ? longestField(wanted) : 'group_id')),
      )
    const missingGroup = () => fail(422, { group_id: ['The selected group id is invalid.'] })
    const created =
      groupId === null || groupId === undefined
        ? await create(currentProject(caller, 'work', fail))
        : await inProjectOfOrElse(
            { db, caller, permission: 'work', kind: 'groups', id: groupId },
            fail,
            ({ projectId }) => create(projectId),
            missingGroup,
          )
    if (!created) throw missingGroup()
    const errors = {
      ...(!created.is_owner_valid && { owner_id: ['The selected owner id is invalid.'] }),
      ...(!created.is_tag_valid && { tag_id: ['The selected tag id is invalid.'] }),
    }
    if (!created.card) throw fail(422, errors)
    return { card: created.card }
  },
})

interface NewCard {
  title: string
  description?: string | null
  status?: string | null
  owner_id?: number | null
  tag_id?: number | null
  due_date?: string | null
  priority?: (typeof priorities)[number] | null
}

interface Made {
  has_group: boolean
  is_owner_valid: boolean
  is_tag_valid: boolean
  card: (Card & { card_type: string }) | null
}

/** One round trip; the database's function says what is done. */
export const createStatement = `
  select has_group, is_owner_valid, is_tag_valid, (select row_to_json(told) from (
    select ${cardColumns('place')}, c.card_type from (select (made).*) c join projects p on p.id = c.project_id) told) as card
  from create_card($1, $2, $3, $4, $5, $6, $7, $8, $9::text::timestamptz, $10::text::card_priority, $11::text::jsonb)`

async function insertCard(
  queries: Queries,
  quotas: Quotas,
  projectId: number,
  userId: number,
  groupId: number | null,
  input: NewCard,
) {
  const [made] = await changeAtOnce<Made>(queries, projectId, createStatement, [
    projectId,
    groupId,
    userId,
    input.title,
    input.description ?? null,
    input.status ?? null,
    input.owner_id ?? null,
    input.tag_id ?? null,
    input.due_date ?? null,
    input.priority ?? null,
    JSON.stringify(quotas),
  ])
  return made?.has_group ? made : undefined
}
