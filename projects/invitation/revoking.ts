import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { type Role, roles } from '#identity/roles.ts'

/** Makes an open invitation useless; false if the project has none with this id. */
export function revokeInvitation(
  db: Database,
  { projectId, id }: { projectId: number; id: number },
  origin: Origin,
): Promise<boolean> {
  return db.transaction(async (queries) => {
    const [revoked] = await queries.sql<{ email: string; role: Role }[]>`
      update invitations set revoked_at = now()
      where project_id = ${projectId} and id = ${id} and accepted_at is null and revoked_at is null
      returning email, role`
    if (!revoked) return false
    await recordEntry(queries, origin, { kind: 'invitation.revoked', projectId, details: revoked })
    return true
  })
}

/** Revokes the open invitations of somebody to roles above the one that they have now; all if they are no longer a member. */
export async function revokeBeyond(
  { sql }: Queries,
  { projectId, userId, role }: { projectId: number; userId: number; role: Role | null },
): Promise<void> {
  const kept =
    role === null || role === 'viewer' || role === 'member' ? [] : roles.slice(0, roles.indexOf(role) + 1)
  await sql`
    update invitations set revoked_at = now()
    where project_id = ${projectId} and invited_by = ${userId} and accepted_at is null and revoked_at is null
      and role <> all(${`{${kept.join(',')}}`}::text::role[])`
}
