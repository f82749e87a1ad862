// An invitation to a project: the secret of its link, and what somebody who has the link may know.
import type { Queries } from '#database/connect.ts'
import { shownName } from '#events/shown-name.ts'
import type { Role } from '#identity/roles.ts'
import { newToken, sha256, tokenHash } from '#identity/tokens.ts'

export const invitationDays = 7

/** The part of a link after the `#` begins with the project, so that looking it up reads one project alone. */
export function newInvitationSecret(projectId: number): { secret: string; hash: Buffer } {
  const token = newToken()
  return { secret: `${projectId}.${token}`, hash: sha256(token) }
}

function readSecret(secret: string): { projectId: number; hash: string } | undefined {
  const [, project = '', token = ''] = /^(\d{1,15})\.(.+)$/.exec(secret) ?? []
  const hash = tokenHash(token)
  return hash === undefined ? undefined : { projectId: Number(project), hash }
}

export interface FoundInvitation {
  id: number
  project_id: number
  project_name: string
  project_language: string | null
  project_time_zone: string | null
  inviter_name: string
  email: string
  role: Role
  invited_by: number
  /** Whether the invited address has an account; only who has the link may know. */
  has_account: boolean
}

export type UselessInvitation = 'not found' | 'expired' | 'used' | 'revoked' | 'archived'

interface FoundRow extends FoundInvitation {
  state: UselessInvitation | 'open'
}

/** Finds the invitation of a link. With `locks`, nobody else can use it or delete the project until the transaction ends. */
export async function findInvitation(
  { sql }: Queries,
  secret: string,
  { locks = false } = {},
): Promise<FoundInvitation | { useless: UselessInvitation }> {
  const read = readSecret(secret)
  if (!read) return { useless: 'not found' }
  const { projectId, hash } = read
  const [found] = await sql<FoundRow[]>`
    select i.id, i.project_id, p.name as project_name, p.language as project_language,
      p.time_zone as project_time_zone, ${sql.unsafe(shownName('i.project_id', 'inviter'))} as inviter_name, i.email, i.role, i.invited_by,
      exists (select from users u where lower(u.email) = lower(i.email)) as has_account,
      case when i.accepted_at is not null then 'used'
        when i.revoked_at is not null or inviter.disabled_at is not null then 'revoked'
        when i.expires_at <= now() then 'expired'
        when p.archived_at is not null then 'archived' else 'open' end as state
    from invitations i
    join projects p on p.id = i.project_id and p.deleted_at is null and p.kind = 'customer'
    join users inviter on inviter.id = i.invited_by
    where i.project_id = ${projectId} and i.token_hash = decode(${hash}, 'hex')
    ${locks ? sql`for update of i for no key update of p` : sql``}`
  if (!found) return { useless: 'not found' }
  const { state, ...invitation } = found
  return state === 'open' ? invitation : { useless: state }
}
