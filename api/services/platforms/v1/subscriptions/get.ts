import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listHistory, readSubscription, subscription } from '#billing/shown.ts'
import { integer, list, record } from '#contract/schema.ts'
import { shownEvent } from '#events/shown.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/get',
  summary: 'Get a subscription with its history, newest first, in pages',
  audience: 'read',
  on: { subscription: 'id' },
  input: { id: integer(), ...pageInput },
  success: 200,
  message: 'The subscription and its history.',
  output: record({ subscription, history: list(shownEvent), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await readSubscription(db, projectId, input.id)
    if (!found) return undefined
    const history = await listHistory(db, { projectId, id: input.id }, { after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(history, limit)
    return { subscription: found, history: rows, next_cursor }
  },
})
