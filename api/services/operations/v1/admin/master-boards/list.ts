import { operation } from '#api/operation.ts'
import { list, record } from '#contract/schema.ts'
import { listTemplates, templateInList } from '#templates/template/template.ts'

export default operation({
  path: '/services/operations/v1/admin/master-boards/list',
  summary: 'Every template, with how many projects have it, are up to date, behind, refused or opted out',
  audience: 'superadmin',
  input: {},
  success: 200,
  message: 'The templates.',
  output: record({ boards: list(templateInList) }),
  failures: {},
  v1Text: { boards: 'each' },
  async handle({ caller, db }) {
    return { boards: await listTemplates(db, caller.superadminPlatformId) }
  },
})
