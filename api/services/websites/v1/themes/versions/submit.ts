import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { submitVersion } from '#themes/version/submitting.ts'
import { version } from '#themes/version/version.ts'
import { step } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/submit',
  summary: 'Submit a draft for review, for the first time or after a rejection',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was submitted for review.',
  output: record({ version }),
  failures: { 400: { version_approved: 'This version is already approved.' } },
  writes: true,
  handle: (call) => step(call, (taken) => submitVersion(call.db, taken)),
})
