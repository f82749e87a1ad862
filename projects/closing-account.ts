// Closes an account for its owner. What they wrote stays in its projects, under the name of a former member; everything about the person goes.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { formerMember } from '#identity/former-member.ts'
import { circumstancesOf, tellOwner } from '#identity/notices.ts'
import type { Role } from '#identity/roles.ts'
import { end, lockSession, type OwnSession } from '#identity/sessions.ts'
import { lockMembers } from './member/acting.ts'
import { takeOut } from './member/removing.ts'

type Refusal = { lastOwnerOf: string[] } | 'last superadmin' | 'session ended'

export function closeAccount(
  db: Database,
  own: OwnSession,
  origin: Origin & { actorId: number },
): Promise<'closed' | Refusal> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const { userId } = own
    await lockProjects(queries, userId, origin)
    if (!(await lockSession(queries, own))) return 'session ended'
    if (await isLastSuperadmin(queries, userId)) return 'last superadmin'
    const memberships = await sql<{ id: number; name: string; is_deleted: boolean }[]>`
      select p.id, p.name, p.deleted_at is not null as is_deleted
      from memberships m join projects p on p.id = m.project_id where m.user_id = ${userId} order by p.id`
    const roles = new Map<number, Role>()
    const lastOwnerOf: string[] = []
    for (const { id, name, is_deleted: isDeleted } of memberships) {
      const members = await lockMembers(queries, { projectId: id, isSuperadmin: false, origin }, userId)
      const role = members.of(userId)
      if (role === undefined) continue
      roles.set(id, role)
      if (members.isLastOwner(userId) && !isDeleted) lastOwnerOf.push(name)
    }
    if (lastOwnerOf.length > 0) return { lastOwnerOf }
    await recordEntry(queries, origin, { kind: 'user.closed', accountId: userId })
    await tellOwner(queries, userId, 'account_closed', (email) => ({ email, ...circumstancesOf(origin) }))
    for (const [projectId, role] of roles) {
      const acting = { projectId, isSuperadmin: false, origin }
      await takeOut(queries, acting, { userId, role, kind: 'member.left' })
    }
    await forget(queries, userId, [...roles.keys()])
    await end(queries, { userId }, 'account_closed')
    return 'closed'
  })
}

/**
 * Before the person, who can sign in while this waits for others who change one of the projects. Meanwhile nobody can change the memberships
 * that it has locked, so it does not wait for long.
 */
async function lockProjects(queries: Queries, userId: number, origin: Origin): Promise<void> {
  const { sql } = queries
  const projects = await sql<
    { project_id: number }[]
  >`select project_id from memberships where user_id = ${userId} order by project_id`
  const ids = projects.map(({ project_id }) => project_id)
  await sql`set local lock_timeout = '1s'`
  for (const projectId of ids) await lockMembers(queries, { projectId, isSuperadmin: false, origin }, userId)
  await changesOfMany(queries, ids)
  await sql`set local lock_timeout to default`
}

/** Nobody else could appoint one. All are locked in one order, so that two cannot close their accounts at once. */
async function isLastSuperadmin({ sql }: Queries, userId: number): Promise<boolean> {
  const [own] = await sql<{ superadmin: boolean }[]>`select superadmin from users where id = ${userId}`
  // Of everyone else no superadmin is locked, who could not sign in meanwhile.
  if (!own?.superadmin) return false
  const ofAll = await sql<{ id: number }[]>`
    select id from users where superadmin and superadmin_platform_id is null and disabled_at is null
    order by id for no key update`
  return ofAll.some(({ id }) => id === userId) && ofAll.length === 1
}

/** Deletes what is only about the person. The address is free for another account. */
async function forget({ sql }: Queries, userId: number, projectIds: number[]): Promise<void> {
  // The inbox may be adding an item for the person right now. This waits for it, and the next one finds no member.
  await sql`
    select from inbox_positions where project_id = any(${projectIds}::bigint[]) order by project_id for update`
  await sql`delete from inbox_items where project_id = any(${projectIds}::bigint[]) and user_id = ${userId}`
  await sql`delete from card_follows where project_id = any(${projectIds}::bigint[]) and user_id = ${userId}`
  await sql`delete from comment_reads where project_id = any(${projectIds}::bigint[]) and user_id = ${userId}`
  await sql`delete from collapsed_groups where project_id = any(${projectIds}::bigint[]) and user_id = ${userId}`
  await sql`delete from saved_views where project_id = any(${projectIds}::bigint[]) and owner_id = ${userId}`
  await sql`delete from recovery_codes where user_id = ${userId}`
  await sql`delete from seen_devices where user_id = ${userId}`
  await sql`delete from wrong_codes where user_id = ${userId}`
  await sql`delete from password_resets where user_id = ${userId}`
  await sql`delete from email_changes where user_id = ${userId}`
  await sql`delete from idempotency_keys where user_id = ${userId}`
  await sql`delete from presences where project_id = any(${projectIds}::bigint[]) and user_id = ${userId}`
  await sql`delete from passkeys where user_id = ${userId}`
  await sql`delete from sign_on_identities where user_id = ${userId}`
  await sql`delete from notification_settings where user_id = ${userId}`
  await sql`delete from inbox_mails where user_id = ${userId}`
  await sql`delete from user_photos where user_id = ${userId}`
  await sql`
    update users set email = ${`closed-${userId}@invalid`}, name = ${formerMember}, password_hash = null, language = null, time_zone = null,
      unsubscribe_key = null, digest_at = null,
      superadmin = false, superadmin_billing = false, superadmin_platform_id = null, enable_ai = false, is_demo = false,
      default_project_id = null, totp_secret = null, totp_pending_secret = null, totp_pending_until = null, last_seen_at = null,
      disabled_at = now(), closed_at = now(), updated_at = now()
    where id = ${userId}`
}
