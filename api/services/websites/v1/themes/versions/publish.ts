import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { publishVersion } from '#themes/version/publishing.ts'
import { version } from '#themes/version/version.ts'
import { step } from './step.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/publish',
  summary: 'Publish an approved version, so that every project can choose it',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was published.',
  output: record({ version }),
  failures: {
    400: { version_not_publishable: 'Only an approved version that is not deprecated can be published.' },
  },
  writes: true,
  handle: (call) => step(call, (taken) => publishVersion(call.db, taken)),
})
