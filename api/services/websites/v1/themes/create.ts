import { taken } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { createTheme } from '#themes/creating.ts'
import { theme } from '#themes/theme.ts'

export default operation({
  path: '/services/websites/v1/themes/create',
  summary: 'Create a theme of the project, without versions',
  audience: 'manage themes',
  on: 'project',
  input: { name: text({ max: 255 }) },
  success: 201,
  message: 'The theme was created.',
  output: record({ theme }),
  failures: { 422: { name: taken } },
  writes: true,
  async handle({ input: { name }, caller, projectId, db, fail }) {
    const created = await createTheme(db, { projectId, name, actorId: caller.id })
    if (created === 'name taken') throw fail(422, { name: 'taken' })
    return { theme: created }
  },
})
