import type { Queries } from '#database/connect.ts'
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
  const values = [projectId, status, approval, after, limit, platformId]
  return queries.run<Version & { id: number }>(listStatement, values)
}

/** The versions that a project can choose: the published ones of its platform. */
export function listOffered(queries: Queries, { projectId, after, limit }: Page & { projectId: number }) {
  return queries.run<OfferedVersion & { id: number }>(offeredStatement, [projectId, after, limit])
}

const listStatement = `
  select v.id, ${versionColumns} from ${versionsWithThemes}
  join projects owner on owner.id = v.project_id and owner.deleted_at is null
  where ($1::bigint is null or v.project_id = $1)
    and ($2::theme_status is null or v.theme_status = $2) and ($3::approval_status is null or v.approval_status = $3)
    and ($4::bigint is null or v.id < $4) and ($6::bigint is null or owner.platform_id = $6)
  order by v.id desc limit $5`

const offeredStatement = `
  select v.id, ${offeredColumns} from ${versionsWithThemes}
  join projects mine on mine.id = $1
  join projects owner on owner.id = v.project_id and owner.platform_id = mine.platform_id and owner.deleted_at is null
  where v.theme_status = 'published' and ($2::bigint is null or v.id < $2)
  order by v.id desc limit $3`
