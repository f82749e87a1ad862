// Creates the account of an invited person, makes them a member and signs them in. The link proves that the address is theirs.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { addUser } from '#identity/accounts.ts'
import { insertPasskey, isKnownPasskey, type Passkeys } from '#identity/passkeys.ts'
import type { Passwords, serverBusy } from '#identity/passwords.ts'
import type { RelyingParty } from '#identity/relying-party.ts'
import { noteDevice } from '#identity/seen-devices.ts'
import { type Device, type Lifetimes, openSession } from '#identity/sessions.ts'
import { type NewCredential, type VerifiedPasskey, verifyNew } from '#identity/verifying-passkey.ts'
import type { Weakness } from '#identity/weak-password.ts'
import { isLanguage, type Language } from '#languages/known.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { join } from './accepting.ts'
import { type FoundInvitation, findInvitation, type UselessInvitation } from './invitation.ts'

interface Means {
  db: Database
  forNewMembers(projectId: number): Database
  lifetimes: Lifetimes
  quotas: Quotas
}

/** What they do not choose is that of the project. */
interface NewPerson {
  secret: string
  name: string
  language: Language | null
}

export interface SignedUp {
  token: string
  userId: number
  projectId: number
  email: string
}

export type Refused = { useless: UselessInvitation } | 'has account'

export async function signUpByInvitation(
  means: Means & { passwords: Passwords },
  { password, ...person }: NewPerson & { password: string },
  device: Device,
  origin: Origin,
): Promise<SignedUp | Refused | { weakness: Weakness } | typeof serverBusy> {
  // Before the password is judged and hashed, because that is work and only a usable link should cause it.
  const found = await openInvitation(means.db, person.secret)
  if (!isOpen(found)) return found
  const { email, project_name: projectName } = found
  const judged = { email, name: person.name, projectName }
  const hashed = await means.passwords.hashNew(device, password, judged)
  if (!('passwordHash' in hashed)) return hashed
  return create(means, found.project_id, { person, proof: hashed }, device, origin)
}

/** What a browser needs to make the first passkey of an invited person. */
export async function beginPasskey(
  db: Database,
  { challenges }: Passkeys,
  secret: string,
): Promise<{ challenge: string; handle: string; email: string } | Refused> {
  const found = await openInvitation(db, secret)
  if (!isOpen(found)) return found
  return {
    challenge: await challenges.issue(`join by invitation ${found.id}`),
    handle: await challenges.handleOf(`invitation ${found.id}`),
    email: found.email,
  }
}

/** The same as with a password; the account has none. */
export async function signUpWithPasskey(
  means: Means & { passkeys: Passkeys; site: RelyingParty },
  { passkey, ...person }: NewPerson & { passkey: NewCredential & { name: string } },
  device: Device,
  origin: Origin,
): Promise<SignedUp | Refused | 'not accepted' | 'known already'> {
  const found = await openInvitation(means.db, person.secret)
  if (!isOpen(found)) return found
  const { passkeys, site } = means
  const isChallenge = await passkeys.challenges.judge(`join by invitation ${found.id}`)
  const verified = await verifyNew(passkey, { site, isChallenge })
  if (!verified) return 'not accepted'
  const proof = { passwordHash: null, passkey: { name: passkey.name, verified } }
  return create(means, found.project_id, { person, proof }, device, origin).catch((error: unknown) => {
    if (isKnownPasskey(error)) return 'known already'
    throw error
  })
}

async function openInvitation(db: Database, secret: string): Promise<FoundInvitation | Refused> {
  const found = await findInvitation(db, secret)
  return isOpen(found) && found.has_account ? 'has account' : found
}

const isOpen = (found: FoundInvitation | Refused): found is FoundInvitation =>
  typeof found === 'object' && !('useless' in found)

/** How the person will sign in. */
interface Proof {
  passwordHash: string | null
  passkey?: FirstPasskey
}

interface FirstPasskey {
  name: string
  verified: VerifiedPasskey
}

function create(
  { forNewMembers, lifetimes, quotas }: Means,
  joinedId: number,
  { person: { secret, name, language }, proof }: { person: NewPerson; proof: Proof },
  device: Device,
  origin: Origin,
): Promise<SignedUp | Refused> {
  const { passwordHash, passkey } = proof
  return forNewMembers(joinedId).transaction(async (queries) => {
    const invitation = await findInvitation(queries, secret, { locks: true })
    if ('useless' in invitation) return invitation
    const { email, project_id: projectId, project_language: ofProject } = invitation
    const userId = await addUser(queries, {
      ...{ email, name, passwordHash },
      language: language ?? (isLanguage(ofProject) ? ofProject : null),
      timeZone: invitation.project_time_zone,
    })
    if (userId === 'email taken') return 'has account'
    const by = { ...origin, actorId: userId }
    await recordEntry(queries, by, { kind: 'user.added', accountId: userId, details: { invited: true } })
    const added = passkey && (await addFirstPasskey(queries, userId, passkey, by))
    await join(queries, invitation, userId, by, quotas)
    const session = { userId, lifetimes, secondFactor: added !== undefined, passkeyId: added?.id ?? null }
    const { token } = await openSession(queries, session, device)
    await noteDevice(queries, userId, { ...device, isKnown: true }, by)
    const details = { factor: 'invitation' }
    await recordEntry(queries, by, { kind: 'sign_in.succeeded', accountId: userId, details })
    return { token, userId, projectId, email }
  })
}

async function addFirstPasskey(queries: Queries, userId: number, passkey: FirstPasskey, by: Origin) {
  const added = await insertPasskey(queries, userId, passkey)
  // A challenge is for one invitation and used up with it.
  if (!added) throw new Error('the challenge of an open invitation was used before')
  const details = { name: added.name }
  await recordEntry(queries, by, { kind: 'passkey.added', accountId: userId, details })
  return added
}
