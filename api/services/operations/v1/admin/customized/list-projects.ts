import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, readPage } from '#api/page.ts'
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { customizedIn, listCustomizedIn } from '#fleet/customized-fields.ts'
import { customizable } from '#templates/copies.ts'

export default operation({
  path: '/services/operations/v1/admin/customized/list-projects',
  summary:
    "The projects that have customized a field of a template's card, with both values, by id, a page at a time",
  audience: 'superadmin',
  on: { 'template card': 'card_id' },
  input: {
    card_id: integer({ about: 'The id of the template card.' }),
    field: oneOf(customizable),
    ...pageInput,
  },
  fromReplica: true,
  success: 200,
  message: 'The projects.',
  output: record({ projects: list(customizedIn), ...pageOutput }),
  failures: { 404: noMasterCard, 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input: { card_id: cardId, field, ...asked }, db, fail }) {
    const { after, limit } = readPage(asked, fail)
    const found = await listCustomizedIn(db, { cardId, field, after, limit })
    if (!found) throw fail(404, 'master_card_not_found')
    return { projects: found.projects, next_cursor: found.last === null ? null : String(found.last) }
  },
})
