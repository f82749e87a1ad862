import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, optional, record, text } from '#contract/schema.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/list',
  summary: 'The projects that the caller can open: their own, for superadmins all; by id, a page at a time',
  audience: 'signed in',
  input: { query: optional(text({ max: 255 })), ...pageInput },
  success: 200,
  message: 'The projects.',
  output: record({ projects: list(project), ...pageOutput }),
  failures: [422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const rows = await db.run<(typeof project)['static']>(
      `select p.id, p.name, m.role from projects p
       left join memberships m on m.project_id = p.id and m.user_id = $1
       where p.deleted_at is null and p.kind = 'customer' and (m.user_id is not null or $2) and p.id > coalesce($3, 0)
         and ($4::text is null or position(lower($4) in lower(p.name)) > 0)
       order by p.id limit $5`,
      [caller.id, caller.superadmin, after, input.query ?? null, limit + 1],
    )
    const page = pageOf(rows, limit)
    return { projects: page.rows, next_cursor: page.next_cursor }
  },
})
