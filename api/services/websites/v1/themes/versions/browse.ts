import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { list, record } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { type OfferedVersion, offeredColumns, offeredVersion, versionsWithThemes } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/browse',
  summary:
    'The published versions of all projects on the platform, which the project can choose from; the newest first, a page at a time',
  audience: 'read',
  input: pageInput,
  success: 200,
  message: 'The theme versions to choose from.',
  output: record({ versions: list(offeredVersion), ...pageOutput }),
  failures: [403, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const projectId = currentProject(caller, 'read', fail)
    const rows = await db.run<OfferedVersion & { id: number }>(browseStatement, [projectId, after, limit + 1])
    const page = pageOf(rows, limit)
    return { versions: page.rows, next_cursor: page.next_cursor }
  },
})

const browseStatement = `
  select v.id, ${offeredColumns} from ${versionsWithThemes}
  join projects mine on mine.id = $1
  join projects owner on owner.id = v.project_id and owner.platform_id = mine.platform_id and owner.deleted_at is null
  where v.theme_status = 'published' and ($2::bigint is null or v.id < $2)
  order by v.id desc limit $3`
