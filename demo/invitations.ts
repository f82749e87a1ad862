import type { Queries } from '#database/connect.ts'
import { invitationDays, newInvitationSecret } from '#projects/invitation/invitation.ts'

/** Somebody was invited and has not accepted yet. Nobody knows the secret of the link; sending it again makes another one. */
export async function seedInvitation({ sql }: Queries, projectId: number): Promise<void> {
  const { hash } = newInvitationSecret(projectId)
  await sql`
    insert into invitations (project_id, email, role, token_hash, invited_by, created_at, sent_at, expires_at)
    select ${projectId}, 'jonas@acme.test', 'member', ${hash}, u.id, now() - interval '1 day', now() - interval '1 day',
      now() - interval '1 day' + make_interval(days => ${invitationDays})
    from users u where u.email = 'owner@acme.test'`
}
