// Adds, lists, renames and removes passkeys. signing-in-with-passkey.ts uses them.
import { type Origin, recordEntry } from '#audit/record.ts'
import { type Database, type Queries, violates } from '#database/connect.ts'
import { type Challenges, challengesOf, useChallenge } from './challenges.ts'
import { tellOfPasskey } from './notices.ts'
import { type RelyingParty, relyingPartyOf } from './relying-party.ts'
import { lockSession, type OwnSession } from './sessions.ts'
import { type NewCredential, type VerifiedPasskey, verifyNew } from './verifying-passkey.ts'

/** Of one account. */
export const mostPasskeys = 20

export interface Passkeys {
  challenges: Challenges
  /** Undefined where passkeys cannot work. */
  site(): RelyingParty | undefined
}

export const startPasskeys = (queries: Queries, address: () => string): Passkeys => ({
  challenges: challengesOf(queries),
  site: () => relyingPartyOf(address()),
})

export interface Passkey {
  id: number
  name: string
  is_synced: boolean
  created_at: string
  last_used_at: string | null
}

/** The passkeys of a user, oldest first. */
export const listPasskeys = ({ sql }: Queries, userId: number): Promise<Passkey[]> => sql<Passkey[]>`
  select id, name, is_synced, created_at, last_used_at from passkeys where user_id = ${userId} order by id`

/** What a browser needs to make a passkey. */
export async function beginAdding(
  { sql }: Queries,
  { challenges }: Passkeys,
  { userId, sessionId }: OwnSession,
): Promise<{ challenge: string; handle: string; email: string; name: string; present: string[] }> {
  const [[user], present] = await Promise.all([
    sql<{ email: string; name: string }[]>`select email, name from users where id = ${userId}`,
    sql<{ credential: Buffer }[]>`select credential from passkeys where user_id = ${userId}`,
  ])
  const { email, name } = user as NonNullable<typeof user>
  return {
    challenge: await challenges.issue(`add in session ${sessionId}`),
    handle: await challenges.handleOf(`user ${userId}`),
    email,
    name,
    present: present.map(({ credential }) => credential.toString('base64url')),
  }
}

/** Stores a passkey whose challenge is used with it; the caller handles `isKnownPasskey`. Undefined if the challenge was used before. */
export async function insertPasskey(
  queries: Queries,
  userId: number,
  { name, verified }: { name: string; verified: VerifiedPasskey },
): Promise<Passkey | undefined> {
  if (!(await useChallenge(queries, verified.challenge))) return undefined
  const [added] = await queries.sql<Passkey[]>`
    insert into passkeys (user_id, credential, public_key, counter, name, is_synced)
    values (${userId}, ${Buffer.from(verified.credential, 'base64url')}, ${Buffer.from(verified.publicKey)}, ${verified.counter},
      ${name}, ${verified.isSynced})
    returning id, name, is_synced, created_at, last_used_at`
  return added
}

/** Whether a statement failed because the passkey belongs to an account. */
export const isKnownPasskey = (error: unknown): boolean => violates(error, 'passkeys_credential_key')

export async function addPasskey(
  db: Database,
  { passkeys: { challenges }, site }: { passkeys: Passkeys; site: RelyingParty },
  own: OwnSession,
  { name, ...made }: NewCredential & { name: string },
  origin: Origin,
): Promise<Passkey | 'not accepted' | 'known already' | 'too many' | 'session ended'> {
  const { userId, sessionId } = own
  const isChallenge = await challenges.judge(`add in session ${sessionId}`)
  const verified = await verifyNew(made, { site, isChallenge })
  if (!verified) return 'not accepted'
  const adding = db.transaction(async (queries) => {
    if (!(await lockSession(queries, own))) return 'session ended'
    if ((await listPasskeys(queries, userId)).length >= mostPasskeys) return 'too many'
    const added = await insertPasskey(queries, userId, { name, verified })
    if (!added) return 'not accepted'
    await recordEntry(queries, origin, { kind: 'passkey.added', accountId: userId, details: { name } })
    await tellOfPasskey(queries, userId, { change: 'added', name }, origin)
    return added
  })
  return adding.catch((error: unknown) => {
    if (isKnownPasskey(error)) return 'known already' as const
    throw error
  })
}

/** Undefined if the user has no such passkey. */
export async function renamePasskey(
  { sql }: Queries,
  { userId, id, name }: { userId: number; id: number; name: string },
): Promise<Passkey | undefined> {
  const [renamed] = await sql<Passkey[]>`
    update passkeys set name = ${name} where id = ${id} and user_id = ${userId}
    returning id, name, is_synced, created_at, last_used_at`
  return renamed
}

/** Sessions that it opened stay, but no longer count as opened with two factors. */
export function removePasskey(
  db: Database,
  own: OwnSession,
  id: number,
  origin: Origin,
): Promise<'removed' | 'no passkey' | 'session ended'> {
  const { userId } = own
  return db.transaction(async (queries) => {
    if (!(await lockSession(queries, own))) return 'session ended'
    const [removed] = await queries.sql<{ name: string }[]>`
      delete from passkeys where id = ${id} and user_id = ${userId} returning name`
    if (!removed) return 'no passkey'
    const { name } = removed
    await recordEntry(queries, origin, { kind: 'passkey.removed', accountId: userId, details: { name } })
    await tellOfPasskey(queries, userId, { change: 'removed', name }, origin)
    return 'removed'
  })
}
