import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listSubscriptions, subscription } from '#billing/shown.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/list',
  summary: 'List the subscriptions of the project, including ended ones, newest first, in pages',
  audience: 'read',
  on: 'project',
  input: pageInput,
  success: 200,
  message: 'The subscriptions of the project.',
  output: record({ subscriptions: list(subscription), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await listSubscriptions(db, projectId, { after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit)
    return { subscriptions: rows, next_cursor }
  },
})
