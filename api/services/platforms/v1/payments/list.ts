import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listPayments, payment } from '#billing/payments.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/payments/list',
  summary:
    'List the payments of the project, newest first, in pages; renewals by card are at the payment provider',
  audience: 'upgrade',
  on: 'project',
  input: pageInput,
  success: 200,
  message: 'The payments of the project.',
  output: record({ payments: list(payment, { about: 'The newest first.' }), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { rows, next_cursor } = pageOf(
      await listPayments(db, projectId, { after, limit: limit + 1 }),
      limit,
    )
    return { payments: rows, next_cursor }
  },
})
