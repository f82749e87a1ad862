import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { listReached, reachedBy } from '#fleet/reached.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/list-rollouts',
  summary: 'The rollouts that changed a project, newest first, a page at a time',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer({ about: 'The id of the project.' }), ...pageInput },
  fromReplica: true,
  success: 200,
  message: 'The rollouts.',
  output: record({ rollouts: list(reachedBy), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, db, fail }) {
    if (input.id !== projectId) return undefined
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listReached(db, projectId, { after, limit: limit + 1 }), limit)
    return { rollouts: page.rows, next_cursor: page.next_cursor }
  },
})
