import { operation } from '#api/operation.ts'
import { integer, oneOf, record } from '#contract/schema.ts'
import { deprecateVersion } from '#themes/version/deprecating.ts'
import { themeStatuses } from '#themes/version/lifecycle.ts'
import { auditedStep } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/deprecate',
  summary: 'Deprecate an approved version; projects that use it keep it, and no other can choose it',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was deprecated.',
  output: record({ version_id: integer(), theme_status: oneOf(themeStatuses) }),
  v1Text: { version_id: 'whole' },
  failures: { 400: { version_not_approved: 'Only an approved version can be deprecated.' } },
  writes: true,
  async handle(call) {
    const { version } =
      (await auditedStep(call, 'theme.deprecated', (taken, db) => deprecateVersion(db, taken))) ?? {}
    return version && { version_id: version.version_id, theme_status: version.theme_status }
  },
})
