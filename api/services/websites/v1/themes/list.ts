import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, list, optional, record } from '#contract/schema.ts'
import { listThemes } from '#themes/listing.ts'
import { theme } from '#themes/theme.ts'

export default operation({
  path: '/services/websites/v1/themes/list',
  summary:
    "List the project's themes, newest first, in pages; superadmins see the themes of all projects of their platform",
  audience: 'read',
  on: 'project or all',
  input: {
    /** For superadmins: only those of the request's project. */
    is_of_project: optional(flag()),
    ...pageInput,
  },
  success: 200,
  message: 'The themes.',
  output: record({ themes: list(theme), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, platformId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listThemes(db, { projectId, platformId, after, limit: limit + 1 }), limit)
    return { themes: page.rows, next_cursor: page.next_cursor }
  },
})
