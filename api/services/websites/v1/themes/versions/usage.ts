import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record, text, timestamp } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { readVersion } from './version.ts'

const use = record({ project_id: integer(), project_name: text(), chosen_at: timestamp() })

export default operation({
  path: '/services/websites/v1/themes/versions/usage',
  summary: 'How many projects use a version, and which, a page at a time',
  audience: 'manage themes',
  input: { version_id: integer(), ...pageInput },
  success: 200,
  message: 'The projects that use the theme version.',
  output: record({ projects_count: integer(), projects: list(use), ...pageOutput }),
  failures: [403, 404, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { version_id: id } = input
    const question = { db, caller, permission: 'manage themes', kind: 'theme_versions', id } as const
    return inProjectOf(question, fail, async ({ projectId }) => {
      const [version, [counted], rows] = await Promise.all([
        readVersion(db, projectId, id),
        db.run<{ count: number }>(`select count(*) from ${uses}`, [id]),
        db.run<(typeof use)['static'] & { id: number }>(pageStatement, [id, after, limit + 1]),
      ])
      const page = pageOf(rows, limit)
      return (
        version && {
          projects_count: counted?.count ?? 0,
          projects: page.rows,
          next_cursor: page.next_cursor,
        }
      )
    })
  },
})

const uses = `theme_choices c join projects p on p.id = c.project_id and p.deleted_at is null where c.version_id = $1`

const pageStatement = `
  select p.id, p.id as project_id, p.name as project_name, wire_time(c.chosen_at) as chosen_at
  from ${uses} and p.id > coalesce($2::bigint, 0) order by p.id limit $3`
