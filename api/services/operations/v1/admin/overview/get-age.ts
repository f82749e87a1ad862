import { operation } from '#api/operation.ts'
import { nullable, record, timestamp } from '#contract/schema.ts'
import { readAge } from '#fleet/age.ts'

export default operation({
  path: '/services/operations/v1/admin/overview/get-age',
  summary: 'How old the figures of projects, templates and subscriptions are',
  about:
    'What people change is counted within seconds. What a rollout changes is counted after it, or once it has taken 20 seconds, so that it is not slowed down.',
  audience: 'superadmin',
  input: {},
  fromReplica: true,
  success: 200,
  message: 'The age of the figures.',
  output: record({
    as_of: nullable(
      timestamp({ about: 'The figures lack what rollouts changed from then on; null if they lack nothing.' }),
    ),
  }),
  failures: {},
  async handle({ caller, db }) {
    return { as_of: await readAge(db, caller.superadminPlatformId) }
  },
})
