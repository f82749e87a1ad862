import { taken } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record, text } from '#contract/schema.ts'
import { draftVersion } from '#themes/version/drafting.ts'
import { version } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/create',
  summary: 'Create a version of a theme, as a draft',
  audience: 'manage themes',
  on: { theme: 'theme_id' },
  input: { theme_id: integer(), version: text({ max: 50 }) },
  success: 201,
  message: 'The theme version was created.',
  output: record({ version }),
  failures: { 422: { version: taken } },
  writes: true,
  async handle({ input: { theme_id: themeId, version: number }, caller, projectId, db, fail }) {
    const drafted = await draftVersion(db, { projectId, themeId, version: number, actorId: caller.id })
    if (drafted === 'version taken') throw fail(422, { version: 'taken' })
    return drafted && { version: drafted }
  },
})
