import { operation } from '#api/operation.ts'
import { record } from '#contract/schema.ts'
import { overview, readOverview } from '#fleet/overview.ts'

export default operation({
  path: '/services/operations/v1/admin/overview/get',
  summary: 'What matters to an operator now: projects, activity, templates, trials, failing checks',
  audience: 'superadmin',
  input: {},
  fromReplica: true,
  success: 200,
  message: 'The overview.',
  output: record({ overview }),
  failures: {},
  async handle({ caller, db }) {
    return { overview: await readOverview(db, caller.superadminPlatformId) }
  },
})
