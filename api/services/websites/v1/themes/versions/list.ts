import { operation } from '#api/operation.ts'
import { pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, list, oneOf, optional, record } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { approvalStatuses, themeStatuses } from './lifecycle.ts'
import { type Version, version, versionColumns, versionsWithThemes } from './version.ts'

export default operation({
  path: '/services/websites/v1/themes/versions/list',
  summary:
    "The versions of the project's themes, the newest first, a page at a time; superadmins see those of all projects",
  audience: 'read',
  input: {
    theme_status: optional(oneOf(themeStatuses)),
    approval_status: optional(oneOf(approvalStatuses)),
    /** For superadmins: those of the request's project only. */
    is_of_project: optional(flag()),
    ...pageInput,
  },
  success: 200,
  message: 'The theme versions.',
  output: record({ versions: list(version), ...pageOutput }),
  failures: [403, 422],
  async handle({ input, caller, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const { theme_status: status = null, approval_status: approval = null } = input
    const projectId = caller.superadmin && !input.is_of_project ? null : currentProject(caller, 'read', fail)
    const rows = await db.run<Version & { id: number }>(listStatement, [
      projectId,
      status,
      approval,
      after,
      limit + 1,
    ])
    const page = pageOf(rows, limit)
    return { versions: page.rows, next_cursor: page.next_cursor }
  },
})

const listStatement = `
  select v.id, ${versionColumns} from ${versionsWithThemes}
  join projects owner on owner.id = v.project_id and owner.deleted_at is null
  where ($1::bigint is null or v.project_id = $1)
    and ($2::theme_status is null or v.theme_status = $2) and ($3::approval_status is null or v.approval_status = $3)
    and ($4::bigint is null or v.id < $4)
  order by v.id desc limit $5`
