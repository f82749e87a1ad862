import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, list, oneOf, optional, record } from '#contract/schema.ts'
import { approvalStatuses, themeStatuses } from '#themes/version/lifecycle.ts'
import { listVersions } from '#themes/version/listing.ts'
import { version } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/list',
  summary:
    "List the versions of the project's themes, newest first, in pages; superadmins see the versions of all projects of their platform",
  audience: 'read',
  on: 'project or all',
  input: {
    theme_status: optional(oneOf(themeStatuses)),
    approval_status: optional(oneOf(approvalStatuses)),
    /** For superadmins: only those of the request's project. */
    is_of_project: optional(flag()),
    ...pageInput,
  },
  success: 200,
  message: 'The theme versions.',
  output: record({ versions: list(version), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, platformId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { theme_status: status = null, approval_status: approval = null } = input
    const wanted = { projectId, platformId, status, approval, after, limit: limit + 1 }
    const rows = await listVersions(db, wanted)
    const page = pageOf(rows, limit)
    return { versions: page.rows, next_cursor: page.next_cursor }
  },
})
