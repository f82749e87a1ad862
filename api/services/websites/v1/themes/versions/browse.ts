import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, record } from '#contract/schema.ts'
import { listOffered } from '#themes/version/listing.ts'
import { offeredVersion } from '#themes/version/version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/browse',
  summary:
    'List the published versions of all projects on the platform, newest first, in pages; the project can choose one',
  audience: 'read',
  on: 'project',
  input: pageInput,
  success: 200,
  message: 'The theme versions to choose from.',
  output: record({ versions: list(offeredVersion), ...pageOutput }),
  failures: { 422: badCursor },
  check: ({ input, fail }) => void readPage(input, fail),
  async handle({ input, projectId, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const page = pageOf(await listOffered(db, { projectId, after, limit: limit + 1 }), limit)
    return { versions: page.rows, next_cursor: page.next_cursor }
  },
})
