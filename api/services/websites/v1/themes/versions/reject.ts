import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { rejectVersion } from '#themes/version/reviewing.ts'
import { version } from '#themes/version/version.ts'
import { step } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/reject',
  summary: 'Reject a version that is waiting for review, with a reason',
  audience: 'superadmin',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer(), reason: text({ max: 1000 }) },
  success: 200,
  message: 'The theme version was rejected.',
  output: record({ version }),
  failures: { 400: { version_not_pending: 'Only a version that is waiting for review can be rejected.' } },
  writes: true,
  handle: (call) => step(call, (taken) => rejectVersion(call.db, taken, call.input.reason)),
})
