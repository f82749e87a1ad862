// Signs in somebody whom the identity provider knows: to the account that is linked with them, or to a new one if a claim makes them a member.
import type { BoundedAudit } from '#audit/bounded.ts'
import { type Origin, recordEntry } from '#audit/record.ts'
import { mistakableLetterIn } from '#contract/mistakable-letters.ts'
import type { Database, Queries } from '#database/connect.ts'
import { changesOfMany } from '#events/change.ts'
import { isSupportName } from '#events/support-name.ts'
import { addUser } from '#identity/accounts.ts'
import { admit, recordFailure } from '#identity/admitting.ts'
import { offerLink } from '#identity/linking-sign-on.ts'
import type { ProviderSettings, SignedOn, SignOnRefusal } from '#identity/openid.ts'
import type { Device, Lifetimes } from '#identity/sessions.ts'
import { findUserByEmail, type UserRow } from '#identity/users.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { recordMember } from './member/acting.ts'
import { addMember } from './members.ts'

interface Means {
  db: Database
  forNewMembers(projectId: number): Database
  settings: ProviderSettings
  lifetimes: Lifetimes
  boundedAudit: BoundedAudit
  quotas: Quotas
}

type Admitted = { token: string; userId: number; email: string; language: string | null }

type NotAdmitted = 'account_disabled' | 'second_factor_required' | 'no_access' | 'mistakable_letter'

/**
 * Takes what the provider said of a person. An account with the same address that is not linked is only offered: its owner has to confirm it.
 */
export async function signOn(
  means: Means,
  person: SignedOn | { refusal: SignOnRefusal },
  device: Device & { isKnown(email: string): Promise<boolean> },
  origin: Origin,
): Promise<Admitted | { linkToken: string; email: string } | { refusal: NotAdmitted | SignOnRefusal }> {
  const { db, boundedAudit } = means
  if ('refusal' in person) {
    await recordFailure(boundedAudit, origin, undefined, { reason: person.refusal })
    return person
  }
  const signing = { ...device, isKnown: await device.isKnown(person.email) }
  const joined = await projectsToJoin(db, means, person)
  const [first] = joined
  const outcome = await (first === undefined ? db : means.forNewMembers(first)).transaction(
    async (queries) => {
      // Before the person, who can sign in while this waits for others who change the project.
      await changesOfMany(queries, joined)
      const linked = await linkedUser(queries, person)
      if (!linked && (await findUserByEmail(queries, person.email)))
        return { linkToken: await offerLink(queries, person), email: person.email }
      const user = linked ?? (await addAccount(queries, means, person, origin))
      if (user === 'email taken') return { linkToken: await offerLink(queries, person), email: person.email }
      if (user === 'mistakable letter') return { refusal: 'mistakable_letter' as const, user: undefined }
      const refusal = user ? refusalFor(user, person) : 'no_access'
      if (!user || refusal) return { refusal: refusal ?? 'no_access', user }
      await join(queries, means, user.id, person, origin)
      const admission = { user, factor: 'single sign-on', secondFactor: person.isMultiFactor }
      const token = await admit(queries, means, admission, signing, origin)
      return { token, userId: user.id, email: user.email, language: user.language }
    },
  )
  if (!('refusal' in outcome)) return outcome
  const { refusal, user } = outcome
  await recordFailure(boundedAudit, origin, user, { reason: refusal, email: person.email })
  return { refusal }
}

/** Locked, as every sign-in locks its user. */
async function linkedUser(
  { sql, run }: Queries,
  { issuer, subject }: SignedOn,
): Promise<UserRow | undefined> {
  const [identity] = await sql<{ user_id: number }[]>`
    update sign_on_identities set last_used_at = now() where issuer = ${issuer} and subject = ${subject} returning user_id`
  if (!identity) return undefined
  const [user] = await run<UserRow>(
    `select u.id, u.email, u.name, u.password_hash, u.language, u.superadmin, u.superadmin_billing, u.enable_ai, u.totp_secret,
       u.disabled_at, u.default_project_id
     from users u where u.id = $1 for no key update`,
    [identity.user_id],
  )
  return user
}

/** An account with two-factor authentication needs a provider that asks for two factors too. */
function refusalFor(user: UserRow, { isMultiFactor }: SignedOn): NotAdmitted | undefined {
  if (user.disabled_at !== null) return 'account_disabled'
  return user.totp_secret !== null && !isMultiFactor ? 'second_factor_required' : undefined
}

const wantedOf = ({ members }: ProviderSettings, { values }: SignedOn) =>
  members.filter(({ value }) => values.includes(value))

/** The projects that the person is made a member of by this sign-on; mostly none. */
async function projectsToJoin({ sql }: Queries, { settings }: Means, person: SignedOn): Promise<number[]> {
  const wanted = wantedOf(settings, person).map(({ projectId }) => projectId)
  if (wanted.length === 0) return []
  const projects = await sql<{ id: number }[]>`
    select id from projects p where id = any(${wanted}::bigint[]) and deleted_at is null and archived_at is null and kind = 'customer' and not exists (
      select from memberships m join sign_on_identities i on i.user_id = m.user_id
      where m.project_id = p.id and i.issuer = ${person.issuer} and i.subject = ${person.subject})
    order by id`
  return projects.map(({ id }) => id)
}

/** Undefined if no claim makes the person a member of a project. */
async function addAccount(
  queries: Queries,
  { settings }: Means,
  person: SignedOn,
  origin: Origin,
): Promise<UserRow | 'email taken' | 'mistakable letter' | undefined> {
  const { issuer, subject, email, name } = person
  const projects = wantedOf(settings, person).map(({ projectId }) => projectId)
  const present = await queries.sql`
    select from projects where id = any(${projects}::bigint[]) and deleted_at is null and archived_at is null and kind = 'customer'`
  if (present.length === 0) return undefined
  if (mistakableLetterIn(email)) return 'mistakable letter'
  const userId = await addUser(queries, {
    email,
    name: isSupportName(name) ? email : name,
    passwordHash: null,
  })
  if (userId === 'email taken') return userId
  await queries.sql`
    insert into sign_on_identities (issuer, subject, user_id) values (${issuer}, ${subject}, ${userId})`
  const details = { single_sign_on: true }
  await recordEntry(
    queries,
    { ...origin, actorId: userId },
    { kind: 'user.added', accountId: userId, details },
  )
  return findUserByEmail(queries, email)
}

/** Members keep their role; nobody joins an archived project. */
async function join(
  queries: Queries,
  { settings, quotas }: Means,
  userId: number,
  person: SignedOn,
  origin: Origin,
): Promise<void> {
  for (const { projectId, role } of wantedOf(settings, person)) {
    const open = await queries.sql`
      select from projects p
      where id = ${projectId} and deleted_at is null and archived_at is null and kind = 'customer' and not exists (
        select from memberships where project_id = p.id and user_id = ${userId})
      for no key update of p`
    if (open.length === 0) continue
    await addMember(queries, projectId, userId, role, quotas)
    await recordMember(
      queries,
      { projectId, actorId: userId },
      { kind: 'member.joined', data: { user_id: userId, role } },
    )
    const entry = { kind: 'member.added', accountId: userId, projectId, details: { role } } as const
    await recordEntry(queries, { ...origin, actorId: userId }, entry)
  }
}
