import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, nullable, oneOf, optional, record, text, timestamp } from '#contract/schema.ts'
import { subscriptionStatuses } from '#fleet/project.ts'
import {
  countAllSubscriptions,
  listAllSubscriptions,
  listedSubscription,
  subscriptionOrders,
} from '#fleet/subscriptions.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/list-all',
  summary: 'The subscriptions of all projects, filtered and sorted, a page at a time',
  about:
    'The newest subscription of each project to each product. The figures follow the events of each project within seconds.',
  audience: 'superadmin with billing',
  input: {
    query: optional(text({ max: 255, about: 'Part of the name of the project, or its id.' })),
    product: optional(text({ max: 100, about: 'Only subscriptions to this product.' })),
    plan: optional(text({ max: 100, about: 'Only subscriptions to this plan.' })),
    status: optional(oneOf(subscriptionStatuses, { about: 'Only subscriptions in this state.' })),
    ends_from: optional(timestamp()),
    ends_until: optional(timestamp()),
    sort: optional(oneOf(subscriptionOrders, { about: 'What the list is sorted by; by default the end.' })),
    is_descending: optional(flag()),
    ...pageInput,
  },
  fromReplica: true,
  success: 200,
  message: 'The subscriptions.',
  output: record({
    subscriptions: list(listedSubscription),
    count: nullable(integer({ about: 'How many match in all; only on the first page.' })),
    ...pageOutput,
  }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const filter = {
      platformId: caller.superadminPlatformId,
      query: input.query ?? null,
      product: input.product ?? null,
      plan: input.plan ?? null,
      status: input.status ?? null,
      endsFrom: input.ends_from ?? null,
      endsUntil: input.ends_until ?? null,
    }
    const order = { by: input.sort ?? 'end', isDescending: input.is_descending ?? false }
    const [rows, count] = await Promise.all([
      listAllSubscriptions(db, filter, order, { after, limit: limit + 1 }),
      after === null ? countAllSubscriptions(db, filter) : null,
    ])
    if (!rows) throw fail(422, { cursor: 'not_valid' })
    const page = pageOf(rows, limit)
    return { subscriptions: page.rows, count, next_cursor: page.next_cursor }
  },
})
