// Signs a user in with email and password, and with a code if the account has two-factor authentication. Called by v1/authenticate.
import type { BoundedAudit } from '#audit/bounded.ts'
import type { Origin } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { admit, admitAtOnce, recordFailure, type SigningDevice } from './admitting.ts'
import {
  beginAttempt,
  beginPasswordAttempt,
  codeGuessing,
  forgetAttempts,
  type Guessing,
  type Slowed,
  withdrawAttempt,
} from './attempts.ts'
import { accountName } from './devices.ts'
import type { Passwords } from './passwords.ts'
import { countRecoveryCodes, useRecoveryCode, useTotp } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { type Device, end, type Lifetimes } from './sessions.ts'
import { tokenHash } from './tokens.ts'
import type { UserRow } from './users.ts'
import { forgetOwnSlips, rememberWrongCode } from './wrong-codes.ts'

interface Credentials {
  email: string
  password: string
  /** An earlier token that passed the second factor; it replaces the code and ends. */
  token?: string | null
  code?: string | null
  /** The code is a recovery code. */
  isRecovery?: boolean | null
}

export interface SignedIn {
  token: string
  user: UserRow
  /** Undefined without two-factor authentication. */
  recoveryCodesLeft: number | undefined
}

type NotSignedIn =
  | Slowed
  | { refusal: 'account_disabled' }
  | { refusal: 'second_factor_required' }
  /** The next attempt has to wait; 0 while wrong attempts are free. */
  | { refusal: 'wrong_credentials'; waitSeconds: number }
  | { refusal: 'wrong_code'; waitSeconds: number; userId: number }

interface Means {
  db: Database
  passwords: Passwords
  secrets: Secrets
  lifetimes: Lifetimes
  boundedAudit: BoundedAudit
}

export async function signIn(
  means: Means,
  credentials: Credentials,
  device: SigningDevice,
  origin: Origin,
): Promise<SignedIn | NotSignedIn> {
  const asking = device.isKnown ? { knownAs: accountName(credentials.email) } : { address: device.address }
  // The turn ends with the check: while a session is opened, others already use the threads.
  const checked = await means.passwords.inTurn(asking, () => checkPassword(means, credentials, device))
  if ('refusal' in checked) return checked
  const outcome = await openIfRight(means, checked, credentials, device, origin)
  if ('refusal' in outcome)
    await recordFailure(means.boundedAudit, origin, checked.user, {
      email: credentials.email,
      reason: outcome.refusal,
    })
  return outcome
}

interface Checked {
  user: UserRow | undefined
  guessing: Guessing
  attempt: Awaited<ReturnType<typeof beginAttempt>>
  matches: boolean
}

/** Counts the attempt, and compares the password unless there were too many. */
async function checkPassword(
  { db, passwords }: Means,
  { email, password }: Credentials,
  device: Device,
): Promise<Checked> {
  const { user, guessing, attempt } = await beginPasswordAttempt(db, email, device.address)
  const matches =
    !('refusal' in attempt) && (await passwords.verify(user?.password_hash ?? undefined, password))
  return { user, guessing, attempt, matches }
}

async function openIfRight(
  { db, passwords, secrets, lifetimes, boundedAudit }: Means,
  { user, guessing, attempt, matches }: Checked,
  credentials: Credentials,
  device: SigningDevice,
  origin: Origin,
): Promise<SignedIn | NotSignedIn> {
  if ('refusal' in attempt) return attempt
  const wrong = { refusal: 'wrong_credentials', waitSeconds: attempt.delaySeconds } as const
  /** For what says nothing about the password. */
  const uncounted = async <Outcome>(outcome: Outcome) => {
    await withdrawAttempt(db, guessing)
    return outcome
  }

  if (!user || !matches) return wrong
  if (user.disabled_at !== null) return uncounted({ refusal: 'account_disabled' })
  const trusted = await trustedToken(db, user, credentials.token)
  const needsCode = user.totp_secret !== null && !trusted
  if (needsCode && !credentials.code) return uncounted({ refusal: 'second_factor_required' })
  // A recovery code is too long to be guessed, and stays a way in while somebody else guesses codes.
  const codeAttempt =
    needsCode && !credentials.isRecovery ? await beginAttempt(db, codeGuessing(user.id)) : { delaySeconds: 0 }
  if ('refusal' in codeAttempt) return uncounted(codeAttempt)
  const rehashed =
    user.password_hash !== null && passwords.needsRehash(user.password_hash)
      ? await passwords.hash(credentials.password)
      : undefined

  if (user.totp_secret === null && !trusted && !rehashed) {
    const token = await admitAtOnce(db, { lifetimes, boundedAudit }, { user, guessing }, device, origin)
    if (token !== undefined) return { token, user, recoveryCodesLeft: undefined }
  }
  const opening = db.transaction((queries) =>
    open(queries, {
      ...{ secrets, lifetimes, boundedAudit, user, credentials, device, origin, guessing, trusted, rehashed },
    }),
  )
  const outcome = await opening.catch((error: unknown) => {
    if (error instanceof ChangedMeanwhile) return wrong
    throw error
  })
  if (outcome !== 'wrong code') return outcome
  await rememberWrongCode(db, user.id, device.address)
  const waitSeconds = Math.max(attempt.delaySeconds, codeAttempt.delaySeconds)
  return { refusal: 'wrong_code', waitSeconds, userId: user.id }
}

interface Opening extends Pick<Means, 'secrets' | 'lifetimes' | 'boundedAudit'> {
  user: UserRow
  credentials: Credentials
  device: SigningDevice
  origin: Origin
  guessing: Guessing
  /** The session whose token replaces the code. */
  trusted: number | undefined
  rehashed: string | undefined
}

/** Undoes what was sent together with the check. */
class ChangedMeanwhile extends Error {}

/** Opens a session, unless the code is wrong. */
async function open(
  queries: Queries,
  {
    secrets,
    lifetimes,
    boundedAudit,
    user,
    credentials,
    device,
    origin,
    guessing,
    trusted,
    rehashed,
  }: Opening,
): Promise<SignedIn | 'wrong code'> {
  const { sql } = queries
  const hasSecondFactor = user.totp_secret !== null
  // Locked and read again: what was changed while the password was compared opens no session.
  const locking = sql<{ totp_secret: string | null }[]>`
    select totp_secret from users where id = ${user.id} and password_hash = ${user.password_hash} and disabled_at is null
    for no key update`.execute()
  const isSame = async () => (await locking).some((now) => isSameFactor(secrets, user, now))
  if ((hasSecondFactor || trusted || rehashed) && !(await isSame())) throw new ChangedMeanwhile()
  if (trusted && (await end(queries, { userId: user.id, id: trusted }, 'replaced')) === 0)
    throw new ChangedMeanwhile()
  if (hasSecondFactor && !trusted && !(await passesCode(queries, secrets, user, credentials)))
    return 'wrong code'
  if (rehashed) await sql`update users set password_hash = ${rehashed} where id = ${user.id}`
  const factor = factorOf(hasSecondFactor, trusted, credentials)
  // Sent together: each round trip costs as much as the statement.
  const [same, token, recoveryCodesLeft] = await Promise.all([
    isSame(),
    admit(
      queries,
      { lifetimes, boundedAudit },
      { user, factor, secondFactor: hasSecondFactor },
      device,
      origin,
    ),
    hasSecondFactor ? countRecoveryCodes(queries, user.id) : undefined,
    forgetAttempts(queries, guessing),
    // A token in place of the code says nothing about guesses of codes.
    hasSecondFactor && !trusted && forgetAttempts(queries, codeGuessing(user.id)),
    hasSecondFactor && forgetOwnSlips(queries, user.id, device.address),
  ])
  // Not before all have come, because what follows from them would be sent after the rollback.
  if (!same) throw new ChangedMeanwhile()
  return { token, user, recoveryCodesLeft }
}

type StoredFactor = Pick<UserRow, 'totp_secret'>

/** Also if it was encrypted with another key meanwhile. */
function isSameFactor(
  secrets: Secrets,
  { id, totp_secret: before }: UserRow,
  { totp_secret: now }: StoredFactor,
) {
  if (before === null || now === null) return before === now
  return before === now || secrets.open(id, before) === secrets.open(id, now)
}

function factorOf(hasSecondFactor: boolean, trusted: number | undefined, { isRecovery }: Credentials) {
  if (!hasSecondFactor) return 'password'
  if (trusted) return 'token'
  return isRecovery ? 'recovery code' : 'code'
}

/** The session of an earlier token of this user that passed the second factor and is still valid. */
async function trustedToken({ sql }: Queries, user: UserRow, token: string | null | undefined) {
  const hash = token ? tokenHash(token) : undefined
  if (!hash) return undefined
  const [found] = await sql<{ id: number }[]>`
    select id from sessions
    where token_hash = decode(${hash}, 'hex') and user_id = ${user.id} and second_factor and expires_at > now()`
  return found?.id
}

function passesCode(queries: Queries, secrets: Secrets, user: UserRow, { code, isRecovery }: Credentials) {
  if (!code || user.totp_secret === null) return false
  return isRecovery
    ? useRecoveryCode(queries, user.id, code)
    : useTotp(queries, secrets, { userId: user.id, secret: user.totp_secret }, code)
}
