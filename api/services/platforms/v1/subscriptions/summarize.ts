import { operation } from '#api/operation.ts'
import { record } from '#contract/schema.ts'
import { subscriptionSummary, summarizeSubscriptions } from '#fleet/subscriptions.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/summarize',
  summary:
    'How many subscriptions of all projects are in which state, what each plan brings, and the revenue of 12 months',
  audience: 'superadmin with billing',
  input: {},
  fromReplica: true,
  success: 200,
  message: 'The subscriptions in numbers.',
  output: record({ summary: subscriptionSummary }),
  failures: {},
  async handle({ caller, db }) {
    return { summary: await summarizeSubscriptions(db, caller.superadminPlatformId) }
  },
})
