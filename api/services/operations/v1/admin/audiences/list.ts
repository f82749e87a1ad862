import { operation } from '#api/operation.ts'
import { list, record } from '#contract/schema.ts'
import { audience, listAudiences } from '#fleet/audience.ts'

export default operation({
  path: '/services/operations/v1/admin/audiences/list',
  summary: 'All audiences, by name',
  audience: 'superadmin',
  input: {},
  success: 200,
  message: 'The audiences.',
  output: record({ audiences: list(audience) }),
  failures: {},
  async handle({ caller, db }) {
    return { audiences: await listAudiences(db, caller.superadminPlatformId) }
  },
})
