import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { usual } from '#contract/failure.ts'
import { integer, record } from '#contract/schema.ts'
import { chooseVersion } from '#themes/version/choosing.ts'
import { offeredVersion } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/choose',
  summary: 'Choose a published version for the project; it replaces the current one',
  audience: 'manage themes',
  on: 'project',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was chosen.',
  output: record({ version: offeredVersion }),
  failures: {
    400: {
      version_draft: 'This version is not published.',
      version_deprecated: 'This version is deprecated and can no longer be chosen.',
    },
    403: usual[403],
    404: { theme_version_not_found: 'There is no theme version with this id.' },
  },
  writes: true,
  async handle({ input: { version_id: versionId }, caller, projectId, db, fail }) {
    const outcome = await chooseVersion(db, { projectId, versionId, user: caller })
    if (outcome === 'missing') throw fail(404, 'theme_version_not_found')
    if (outcome === 'forbidden') throw fail(403, 'forbidden')
    return granted(outcome, fail)
  },
})
