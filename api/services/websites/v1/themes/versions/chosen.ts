import { operation } from '#api/operation.ts'
import { nullable, onlyInV2, record } from '#contract/schema.ts'
import { deprecation, readDeprecation } from '#themes/campaign/campaign.ts'
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
  output: record({
    version: nullable(offeredVersion),
    deprecation: onlyInV2(deprecation),
  }),
  failures: {},
  async handle({ projectId, db }) {
    const version = await readChosen(db, projectId)
    const ending = version && (await readDeprecation(db, version.version_id))
    return { version: version ?? null, deprecation: ending ?? null }
  },
})
