import type { Queries } from '#database/connect.ts'
import type { Role, SuperadminOf } from '#identity/roles.ts'

/** All projects of customers. */
export function listProjects({ sql }: Queries) {
  return sql<{ id: number; platform_id: number; name: string; tool_keys: string[] }[]>`
    select id, platform_id, name, tool_keys from projects where deleted_at is null and kind = 'customer' order by id`
}

interface Openable {
  id: number
  platform_id: number
  name: string
  /** Null for superadmins who are not members. */
  role: Role | null
  website_url: string | null
  language: string | null
  time_zone: string | null
  archived_at: string | null
}

/**
 * The projects that a user can open: those of their memberships, and for superadmins all of their platform. One page by id. `query` is part
 * of the name; superadmins also find projects by their id and by the beginning of a member's address.
 */
export function listOpenable(
  queries: Queries,
  user: SuperadminOf & { id: number },
  wanted: { query: string | null; after: number | null; limit: number },
): Promise<Openable[]> {
  return queries.run<Openable>(
    `select p.id, p.platform_id, p.name, m.role, p.website_url, p.language, p.time_zone, wire_time(p.archived_at) as archived_at from projects p
     left join memberships m on m.project_id = p.id and m.user_id = $1
     where p.deleted_at is null and p.kind = 'customer' and (m.user_id is not null or $2 or p.platform_id = $6)
       and p.id > coalesce($3, 0)
       and ($4::text is null or position(lower($4) in lower(p.name)) > 0 or ($2 or p.platform_id = $6) and (
         p.id::text = $4 or p.id in (
           select found.project_id from memberships found join users u on u.id = found.user_id where lower(u.email) like $7)))
     order by p.id limit $5`,
    [
      user.id,
      user.superadmin && user.superadminPlatformId === null,
      wanted.after,
      wanted.query,
      wanted.limit,
      user.superadminPlatformId,
      `${(wanted.query ?? '').toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`,
    ],
  )
}
