import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { readVersion, version } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/get',
  summary: "Get a version of one of the project's themes",
  audience: 'read',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version.',
  output: record({ version }),
  failures: {},
  async handle({ input: { version_id: id }, projectId, db }) {
    const version = await readVersion(db, projectId, id)
    return version && { version }
  },
})
