import type { Queries } from '#database/connect.ts'
import type { Role } from '#identity/roles.ts'

interface DetailedMember {
  user_id: number
  name: string
  email: string
  role: Role
  second_factor: boolean
  enable_ai: boolean
  is_disabled: boolean
  joined_at: string
  last_seen_at: string | null
}

/** The members as those who manage them see them, by name. A passkey counts as two factors, but not beside a password alone. */
export function listMembersInDetail({ sql }: Queries, projectId: number): Promise<DetailedMember[]> {
  return sql<DetailedMember[]>`
    select u.id as user_id, u.name, u.email, m.role, u.enable_ai,
      u.totp_secret is not null
        or u.password_hash is null and exists (select from passkeys p where p.user_id = u.id) as second_factor,
      u.disabled_at is not null as is_disabled, m.created_at as joined_at,
      greatest(u.last_seen_at, (select max(s.last_used_at) from sessions s where s.user_id = u.id)) as last_seen_at
    from memberships m join users u on u.id = m.user_id
    where m.project_id = ${projectId} order by lower(u.name), u.id`
}
