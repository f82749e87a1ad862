import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, record, text, timestamp } from '#contract/schema.ts'
import { countUses, listUses } from '#themes/version/usage.ts'
import { readVersion } from '#themes/version/version.ts'

const use = record({ project_id: integer(), project_name: text(), chosen_at: timestamp() })

export default operation({
  path: '/services/websites/v1/themes/versions/usage',
  summary: 'Count the projects that use a version; superadmins also get the list of them, in pages',
  about: 'Others get an empty list, because customers do not learn of each other.',
  audience: 'manage themes',
  on: { 'theme version': 'version_id' },
  input: { version_id: integer(), ...pageInput },
  success: 200,
  message: 'The projects that use the theme version.',
  output: record({ projects_count: integer(), projects: list(use), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, caller, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { version_id: id } = input
    const [version, count, rows] = await Promise.all([
      readVersion(db, projectId, id),
      countUses(db, id),
      caller.superadmin ? listUses(db, id, { after, limit: limit + 1 }) : [],
    ])
    const page = pageOf(rows, limit)
    return version && { projects_count: count, projects: page.rows, next_cursor: page.next_cursor }
  },
})
