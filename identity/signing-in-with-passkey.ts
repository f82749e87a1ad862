// Signs people in with a passkey alone: the device has verified the person, so it counts as two factors.
import type { BoundedAudit } from '#audit/bounded.ts'
import type { Origin } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { admit, recordFailure } from './admitting.ts'
import {
  beginAttempt,
  forgetAttempts,
  type Guessing,
  passkeyGuessing,
  type Slowed,
  withdrawAttempt,
} from './attempts.ts'
import { useChallenge } from './challenges.ts'
import type { Passkeys } from './passkeys.ts'
import type { RelyingParty } from './relying-party.ts'
import { type Device, type Lifetimes, notePassword, type OwnSession } from './sessions.ts'
import { type Assertion, verifyUse } from './verifying-passkey.ts'

interface Means {
  db: Database
  passkeys: Passkeys
  site: RelyingParty
}

interface PasskeyRow {
  id: number
  public_key: Buffer
  counter: number
  user_id: number
  email: string
  language: string | null
  disabled_at: string | null
  default_project_id: number | null
}

async function findPasskey({ sql }: Queries, credential: string): Promise<PasskeyRow | undefined> {
  const [found] = await sql<PasskeyRow[]>`
    select p.id, p.public_key, p.counter, p.user_id, u.email, u.language, u.disabled_at, u.default_project_id
    from passkeys p join users u on u.id = p.user_id where p.credential = ${Buffer.from(credential, 'base64url')}`
  return found
}

/** Undone with the transaction if the passkey was removed, or the same answer was used meanwhile. */
class UsedOrRemoved extends Error {}

/** Notes a use of the passkey inside of what it allows. */
async function noteUse(
  queries: Queries,
  { id }: PasskeyRow,
  { challenge, counter, isSynced }: { challenge: string; counter: number; isSynced: boolean },
): Promise<void> {
  const { count } = await queries.sql`
    update passkeys set counter = ${counter}, is_synced = ${isSynced}, last_used_at = now()
    where id = ${id} and (counter < ${counter} or counter = 0)`
  if (count === 0 || !(await useChallenge(queries, challenge))) throw new UsedOrRemoved()
}

interface Checked {
  passkey: PasskeyRow | undefined
  guessing: Guessing
  outcome:
    | NonNullable<Awaited<ReturnType<typeof verifyUse>>>
    | Slowed
    | { refusal: 'passkey_unknown' | 'passkey_not_accepted' }
}

/** Counts the attempt, and checks the signature unless there were too many. */
async function check(
  { db, passkeys, site }: Means,
  assertion: Assertion,
  address: string,
  userId?: number,
): Promise<Checked> {
  const found = await findPasskey(db, assertion.credential)
  const passkey = userId === undefined || found?.user_id === userId ? found : undefined
  const guessing = passkeyGuessing(userId ?? passkey?.user_id, address)
  const attempt = await beginAttempt(db, guessing)
  if ('refusal' in attempt) return { passkey, guessing, outcome: attempt }
  if (!passkey) return { passkey, guessing, outcome: { refusal: 'passkey_unknown' } }
  const isChallenge = await passkeys.challenges.judge('sign in')
  const known = { publicKey: passkey.public_key, counter: passkey.counter }
  const verified = await verifyUse(assertion, known, { site, isChallenge })
  return { passkey, guessing, outcome: verified ?? { refusal: 'passkey_not_accepted' } }
}

export type NotSignedIn =
  | Slowed
  | { refusal: 'passkey_unknown' | 'passkey_not_accepted' | 'account_disabled' }

/** `isKnown` tells whether the device has signed in to the account of an address before. */
export async function signInWithPasskey(
  means: Means & { lifetimes: Lifetimes; boundedAudit: BoundedAudit },
  assertion: Assertion,
  device: Device & { isKnown(email: string): Promise<boolean> },
  origin: Origin,
): Promise<{ token: string; userId: number; email: string; language: string | null } | NotSignedIn> {
  const { db, boundedAudit } = means
  const { passkey, guessing, outcome } = await check(means, assertion, device.address)
  const user = passkey && { id: passkey.user_id, default_project_id: passkey.default_project_id }
  const refuse = async <Refused extends NotSignedIn>(refused: Refused) => {
    await recordFailure(boundedAudit, origin, user, { reason: refused.refusal })
    return refused
  }
  if ('refusal' in outcome) return refuse(outcome)
  if (!passkey || !user) return refuse({ refusal: 'passkey_unknown' })
  if (passkey.disabled_at !== null) {
    await withdrawAttempt(db, guessing)
    return refuse({ refusal: 'account_disabled' })
  }
  const admission = { user, factor: 'passkey', secondFactor: true, passkeyId: passkey.id }
  const signing = { ...device, isKnown: await device.isKnown(passkey.email) }
  const opening = db.transaction(async (queries) => {
    const present = await queries.sql`
      select from users where id = ${user.id} and disabled_at is null for no key update`
    if (present.length === 0) throw new UsedOrRemoved()
    await noteUse(queries, passkey, outcome)
    await forgetAttempts(queries, guessing)
    return admit(queries, means, admission, signing, origin)
  })
  const token = await opening.catch(onUsedOrRemoved)
  if (token === undefined) return refuse({ refusal: 'passkey_not_accepted' })
  return { token, userId: user.id, email: passkey.email, language: passkey.language }
}

/** Confirms with a passkey of their own that a signed-in person is there, before a sensitive change. */
export async function confirmWithPasskey(
  means: Means,
  { userId, sessionId, address }: OwnSession & { address: string },
  assertion: Assertion,
): Promise<'confirmed' | Slowed | { refusal: 'passkey_unknown' | 'passkey_not_accepted' }> {
  const { db } = means
  const { passkey, guessing, outcome } = await check(means, assertion, address, userId)
  if ('refusal' in outcome) return outcome
  const confirming = db.transaction(async (queries) => {
    await noteUse(queries, passkey as PasskeyRow, outcome)
    await forgetAttempts(queries, guessing)
    await notePassword(queries, sessionId)
    return 'confirmed' as const
  })
  return (await confirming.catch(onUsedOrRemoved)) ?? { refusal: 'passkey_not_accepted' }
}

function onUsedOrRemoved(error: unknown): undefined {
  if (!(error instanceof UsedOrRemoved)) throw error
}
