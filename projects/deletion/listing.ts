import type { Queries } from '#database/connect.ts'
import { shownName } from '#events/shown-name.ts'
import { inPlatform, may, type Role, type SuperadminOf } from '#identity/roles.ts'
import { restorableDays } from './deleting.ts'

interface DeletedProject {
  id: number
  name: string
  deleted_at: string
  deleted_by_name: string | null
  restorable_until: string
  may_restore: boolean
}

interface Row extends Omit<DeletedProject, 'may_restore'> {
  platform_id: number
  role: Role | null
}

/** The deleted projects of a user, and for superadmins all of their platform, while they can be restored. One page by id. */
export async function listDeleted(
  { sql }: Queries,
  user: SuperadminOf & { id: number },
  { after, limit }: { after: number | null; limit: number },
): Promise<DeletedProject[]> {
  const rows = await sql<Row[]>`
    select p.id, p.name, p.deleted_at, case when ${user.superadmin} then u.name else ${sql.unsafe(shownName('p.id'))} end as deleted_by_name, p.platform_id, m.role,
      p.deleted_at + make_interval(days => ${restorableDays}) as restorable_until
    from projects p
    left join memberships m on m.project_id = p.id and m.user_id = ${user.id}
    left join users u on u.id = p.deleted_by
    where p.deleted_at > kept_since() and p.kind = 'customer' and p.purged_at is null and p.id > coalesce(${after}::bigint, 0)
      and (m.user_id is not null or ${user.superadmin} and coalesce(${user.superadminPlatformId}::bigint, p.platform_id) = p.platform_id)
    order by p.id limit ${limit}`
  return rows.map(({ platform_id: platformId, role, ...project }) => ({
    ...project,
    may_restore: may(inPlatform(user, platformId), role, 'delete the project'),
  }))
}
