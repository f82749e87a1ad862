import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { customizedCard, listCustomized } from '#fleet/customized.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/list-customized',
  summary: 'The cards that a project has customized, each with its own values and those of the template',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer({ about: 'The id of the project.' }), ...pageInput },
  fromReplica: true,
  success: 200,
  message: 'The customized cards.',
  output: record({ cards: list(customizedCard), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, db, fail }) {
    if (input.id !== projectId) return undefined
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listCustomized(db, projectId, { after, limit: limit + 1 }), limit)
    return { cards: page.rows, next_cursor: page.next_cursor }
  },
})
