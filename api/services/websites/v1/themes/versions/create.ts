import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { draftVersion } from '#themes/version/drafting.ts'
import { version } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/create',
  summary: 'Create a version of a theme, as a draft',
  audience: 'manage themes',
  input: { theme_id: integer(), version: text({ max: 50 }) },
  success: 201,
  message: 'The theme version was created.',
  output: record({ version }),
  failures: [403, 404, 422],
  writes: true,
  async handle({ input: { theme_id: themeId, version: number }, caller, db, fail }) {
    const question = { db, caller, permission: 'manage themes', kind: 'themes', id: themeId } as const
    const drafted = await inProjectOf(question, fail, ({ projectId }) =>
      draftVersion(db, { projectId, themeId, version: number, actorId: caller.id }),
    )
    if (drafted === 'version taken') throw fail(422, { version: ['The version has already been taken.'] })
    return { version: drafted }
  },
})
