import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readVersion, version } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/get',
  summary: "A version of one of the project's themes",
  audience: 'read',
  input: { version_id: integer() },
  success: 200,
  message: 'The theme version.',
  output: record({ version }),
  failures: [403, 404],
  async handle({ input: { version_id: id }, caller, db, fail }) {
    const question = { db, caller, permission: 'read', kind: 'theme_versions', id } as const
    return {
      version: await inProjectOf(question, fail, ({ projectId }) => readVersion(db, projectId, id)),
    }
  },
})
