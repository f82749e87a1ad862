import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record } from '#contract/schema.ts'
import { eventsWithActors, shownColumns, shownEvent } from '#events/shown.ts'
import { readSubscription, subscription } from './subscription.ts'

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
    const values = [projectId, input.id, after, limit + 1]
    const { rows, next_cursor } = pageOf(
      await db.run<(typeof shownEvent)['static']>(historyStatement, values),
      limit,
    )
    return { subscription: found, history: rows, next_cursor }
  },
})

const historyStatement = `
  select ${shownColumns} from ${eventsWithActors}
  where e.project_id = $1 and e.board_id is null and e.kind like 'subscription.%' and e.data->'subscription_id' = to_jsonb($2::bigint)
    and ($3::bigint is null or e.id < $3)
  order by e.id desc limit $4`
