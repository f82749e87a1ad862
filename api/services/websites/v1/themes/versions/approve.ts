import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { approveVersion } from '#themes/version/reviewing.ts'
import { version } from '#themes/version/version.ts'
import { step } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/approve',
  summary: 'Approve a version that is waiting for review',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was approved.',
  output: record({ version }),
  failures: { 400: { version_not_pending: 'Only a version that is waiting for review can be approved.' } },
  writes: true,
  handle: (call) => step(call, (taken) => approveVersion(call.db, taken)),
})
