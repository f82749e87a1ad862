import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listOrders, order } from '#billing/shown-orders.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/orders/list',
  summary: 'List the orders of the project that are paid by bank transfer, newest first, in pages',
  audience: 'upgrade',
  on: 'project',
  input: pageInput,
  success: 200,
  message: 'The orders of the project.',
  output: record({ orders: list(order), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await listOrders(db, projectId, { after, limit: limit + 1 })
    const { rows, next_cursor } = pageOf(found, limit)
    return { orders: rows, next_cursor }
  },
})
