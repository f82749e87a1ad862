import type { Queries } from '#database/connect.ts'
import { newestFirst } from '#database/newest-first.ts'
import type { State } from './lifecycle.ts'
import {
  type OfferedVersion,
  offeredColumns,
  type Version,
  versionColumns,
  versionsWithThemes,
} from './version.ts'

interface Page {
  after: number | null
  limit: number
}

interface Wanted extends Page {
  /** Null for all projects, of a platform or of all. */
  projectId: number | null
  platformId: number | null
  status: State['theme_status'] | null
  approval: State['approval_status']
}

/** One page, newest first. */
export function listVersions(
  queries: Queries,
  { projectId, platformId, status, approval, after, limit }: Wanted,
) {
  const equal = { project_id: projectId, theme_status: status, approval_status: approval }
  const { end, values } = newestFirst('v', { platformId, before: after, limit, equal })
  return queries.run<Version & { id: number }>(
    `select v.id, ${versionColumns} from ${versionsWithThemes}
     join projects owner on owner.id = v.project_id and owner.deleted_at is null ${end}`,
    values,
  )
}

/** The versions that a project can choose: the published ones of its platform. */
export function listOffered(queries: Queries, { projectId, after, limit }: Page & { projectId: number }) {
  return queries.run<OfferedVersion & { id: number }>(offeredStatement, [projectId, after, limit])
}

const ownPlatform = '(select platform_id from projects where id = $1)'

/** As in `newestFirst`, a platform is a range. */
const offeredStatement = `
  select v.id, ${offeredColumns} from ${versionsWithThemes}
  join projects owner on owner.id = v.project_id and owner.deleted_at is null
  where v.theme_status = 'published' and v.platform_id >= ${ownPlatform}
    and (v.platform_id, v.id) < (${ownPlatform}, coalesce($2::bigint, 9223372036854775807))
  order by v.platform_id desc, v.id desc limit $3`
