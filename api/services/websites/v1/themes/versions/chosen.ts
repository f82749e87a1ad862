import { operation } from '#api/operation.ts'
import { nullable, record } from '#contract/schema.ts'
import { readChosen } from '#themes/version/choosing.ts'
import { offeredVersion } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/chosen',
  summary: 'Get the version that the project uses, even if it was deprecated since; null if none was chosen',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The theme version that the project uses.',
  output: record({ version: nullable(offeredVersion) }),
  failures: {},
  async handle({ projectId, db }) {
    return { version: (await readChosen(db, projectId)) ?? null }
  },
})
