import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, record } from '#contract/schema.ts'
import { type Subscription, subscription, subscriptionColumns } from './subscription.ts'

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
    const found = await db.run<Subscription>(
      `select ${subscriptionColumns} from subscriptions s
       where s.project_id = $1 and ($2::bigint is null or s.id < $2) order by s.id desc limit $3`,
      [projectId, after, limit + 1],
    )
    const { rows, next_cursor } = pageOf(found, limit)
    return { subscriptions: rows, next_cursor }
  },
})
