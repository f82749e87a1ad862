import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { restoreVersion } from '#themes/version/deprecating.ts'
import { version } from '#themes/version/version.ts'
import { auditedStep } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/restore',
  summary: 'Undo a deprecation; the version gets its earlier status back',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was restored.',
  output: record({ version }),
  failures: {
    400: {
      version_not_deprecated: 'Only a deprecated version can be restored.',
      campaign_running: 'Projects are being asked to leave this version. Only superadmins can restore it.',
    },
  },
  writes: true,
  handle: (call) =>
    auditedStep(call, 'theme.restored', (taken, db) =>
      restoreVersion(db, { ...taken, isOperator: call.caller.superadmin }),
    ),
})
