import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { currentProject } from '#identity/caller.ts'
import { type Theme, theme, themeColumns } from './theme.ts'

export default operation({
  path: '/services/websites/v1/themes/create',
  summary: 'Create a theme of the project, without versions',
  audience: 'manage themes',
  input: { name: text({ max: 255 }) },
  success: 201,
  message: 'The theme was created.',
  output: record({ theme }),
  failures: [403, 422],
  writes: true,
  async handle({ input: { name }, caller, db, fail }) {
    const projectId = currentProject(caller, 'manage themes', fail)
    const created = await change(db, projectId, async (queries) => {
      const [made] = await queries.run<Theme>(insertStatement, [projectId, name, caller.id])
      if (!made) throw fail(422, { name: ['The name has already been taken.'] })
      const data = { theme_id: made.id, name }
      await recordEvent(queries, { boardId: null, actorId: caller.id, kind: 'theme.created', data })
      return made
    })
    return { theme: created }
  },
})

const insertStatement = `
  with t as (
    insert into themes (project_id, name, created_by) values ($1, $2, $3)
    on conflict (project_id, lower(name)) do nothing returning *
  )
  select ${themeColumns} from t`
