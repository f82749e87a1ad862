import { operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { usualMessages } from '#contract/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { chooseVersion } from '#themes/version/choosing.ts'
import { offeredVersion } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/choose',
  summary: 'Let the project use a published version, in place of the one it uses now',
  audience: 'manage themes',
  on: 'project',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version was chosen.',
  output: record({ version: offeredVersion }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { version_id: versionId }, caller, projectId, db, fail }) {
    const outcome = await chooseVersion(db, { projectId, versionId, user: caller })
    if (outcome === 'missing') throw fail(404, 'There is no theme version with this id.')
    if (outcome === 'forbidden') throw fail(403, usualMessages[403])
    return granted(outcome, fail)
  },
})
