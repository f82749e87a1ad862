import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, oneOf, record } from '#contract/schema.ts'
import { countedNames, measuresIn } from '#fleet/measures.ts'
import { listBehind, projectBehind } from '#fleet/roll-up.ts'

export default operation({
  path: '/services/operations/v1/admin/roll-ups/list-projects',
  summary: 'The projects behind a number of a roll-up, by id, a page at a time',
  audience: 'superadmin',
  on: { 'template card': 'card_id' },
  input: {
    card_id: integer({ about: 'The id of the template card.' }),
    measure: oneOf(countedNames),
    ...pageInput,
  },
  fromReplica: true,
  success: 200,
  message: 'The projects.',
  output: record({ projects: list(projectBehind), ...pageOutput }),
  failures: { 404: noMasterCard, 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input: { card_id: cardId, measure, ...asked }, db, fail }) {
    const { after, limit } = readPage(asked, fail)
    const behind = await listBehind(db, { cardId, measures: measuresIn(measure), after, limit: limit + 1 })
    if (!behind) throw fail(404, 'master_card_not_found')
    const { rows, next_cursor } = pageOf(behind, limit)
    return { projects: rows, next_cursor }
  },
})
