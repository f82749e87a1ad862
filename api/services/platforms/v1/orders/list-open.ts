import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { listOpenOrders, order } from '#billing/shown-orders.ts'
import { list, optional, record, text } from '#contract/schema.ts'

export default operation({
  path: '/services/platforms/v1/orders/list-open',
  summary:
    'List the open orders of all projects, oldest first, in pages; `query` is a part of a reference or of a project name',
  audience: 'superadmin with billing',
  input: { query: optional(text({ max: 255 })), ...pageInput },
  success: 200,
  message: 'The open orders.',
  output: record({ orders: list(order), ...pageOutput }),
  failures: { 422: badCursor },
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const platformId = caller.superadminPlatformId
    const wanted = { platformId, query: input.query ?? '', after, limit: limit + 1 }
    const found = await listOpenOrders(db, wanted)
    const { rows, next_cursor } = pageOf(found, limit)
    return { orders: rows, next_cursor }
  },
})
