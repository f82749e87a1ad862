import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listTrash, thingInList } from '#boards/trash/trash.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/trash/list',
  summary: 'List what was deleted in the last 30 days and can be restored, newest first, in pages',
  audience: 'read',
  on: 'project',
  input: pageInput,
  success: 200,
  message: 'What was deleted.',
  output: record({ things: list(thingInList), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listTrash(db, projectId, { after, limit: limit + 1 }), limit)
    return { things: page.rows, next_cursor: page.next_cursor }
  },
})
