import { type Origin, recordEntry } from '#audit/record.ts'
import { inAllProjects } from '#database/all-projects.ts'
import type { Database, Queries } from '#database/connect.ts'
import { addUser } from '#identity/accounts.ts'
import type { Passwords, serverBusy } from '#identity/passwords.ts'
import { type Device, type Lifetimes, openSession } from '#identity/sessions.ts'
import type { Weakness } from '#identity/weak-password.ts'
import { isLanguage, type Language } from '#languages/known.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { recordMember } from '../member/acting.ts'
import { addMember } from '../members.ts'
import { type FoundInvitation, findInvitation, type UselessInvitation } from './invitation.ts'

/** Makes a signed-in person a member. The invitation is for one address, so other accounts cannot use it. */
export function acceptInvitation(
  db: Database,
  { secret, userId }: { secret: string; userId: number },
  origin: Origin,
  quotas: Quotas,
): Promise<{ projectId: number } | { useless: UselessInvitation } | 'other account'> {
  return db.transaction(async (queries) => {
    const invitation = await findInvitation(queries, secret, { locks: true })
    if ('useless' in invitation) return invitation
    const [own] = await queries.sql`
      select from users where id = ${userId} and lower(email) = lower(${invitation.email})`
    if (!own) return 'other account'
    await join(queries, invitation, userId, origin, quotas)
    return { projectId: invitation.project_id }
  })
}

/** A member keeps their role, which may be higher. */
async function join(
  queries: Queries,
  invitation: FoundInvitation,
  userId: number,
  origin: Origin,
  quotas: Quotas,
): Promise<void> {
  const { sql } = queries
  const { id, project_id: projectId, role, invited_by: invitedBy } = invitation
  await sql`
    update invitations set accepted_at = now() where project_id = ${projectId} and id = ${id}`
  // Undoing an earlier removal would give back a role that this invitation does not.
  await sql`delete from removed_members where project_id = ${projectId} and user_id = ${userId}`
  const present = await sql`
    select from memberships where project_id = ${projectId} and user_id = ${userId} for no key update`
  if (present.length > 0) return
  await addMember(queries, projectId, userId, role, quotas)
  await recordMember(
    queries,
    { projectId, actorId: userId },
    { kind: 'member.joined', data: { user_id: userId, role, invited_by: invitedBy } },
  )
  const details = { role, invited_by: invitedBy }
  await recordEntry(queries, origin, { kind: 'member.added', accountId: userId, projectId, details })
}

interface Means {
  db: Database
  passwords: Passwords
  lifetimes: Lifetimes
  quotas: Quotas
}

interface NewPerson {
  secret: string
  name: string
  password: string
  language: Language | null
}

/**
 * Creates the account of an invited person, makes them a member and signs them in. The link proves that the address is theirs. What they do
 * not choose is that of the project.
 */
export async function signUpByInvitation(
  { db, passwords, lifetimes, quotas }: Means,
  { secret, name, password, language }: NewPerson,
  device: Device,
  origin: Origin,
): Promise<
  | { token: string; userId: number; projectId: number; email: string }
  | { useless: UselessInvitation }
  | 'has account'
  | { weakness: Weakness }
  | typeof serverBusy
> {
  // Before the password is judged and hashed, because that is work and only a usable link should cause it.
  const found = await findInvitation(db, secret)
  if ('useless' in found) return found
  if (found.has_account) return 'has account'
  const { email, project_name: projectName } = found
  const hashed = await passwords.hashNew(device, password, { email, name, projectName })
  if (!('passwordHash' in hashed)) return hashed
  return db.transaction(async (queries) => {
    const invitation = await findInvitation(queries, secret, { locks: true })
    if ('useless' in invitation) return invitation
    const ofProject = invitation.project_language
    const userId = await addUser(queries, {
      ...{ email, name, passwordHash: hashed.passwordHash },
      language: language ?? (isLanguage(ofProject) ? ofProject : null),
      timeZone: invitation.project_time_zone,
    })
    if (userId === 'email taken') return 'has account'
    const by = { ...origin, actorId: userId }
    await recordEntry(queries, by, { kind: 'user.added', accountId: userId, details: { invited: true } })
    await join(queries, invitation, userId, by, quotas)
    const { token } = await openSession(queries, { userId, secondFactor: false, lifetimes }, device)
    const details = { factor: 'invitation' }
    await recordEntry(queries, by, { kind: 'sign_in.succeeded', accountId: userId, details })
    return { token, userId, projectId: invitation.project_id, email }
  })
}

const keptDays = 30

/** For some days the page of a link says what became of it. */
export const forgetInvitations = (db: Database) =>
  inAllProjects(
    db,
    (ids) => db.sql`
      delete from invitations
      where project_id = any(${ids}::bigint[])
        and least(accepted_at, revoked_at, expires_at) < now() - make_interval(days => ${keptDays})`,
  )
