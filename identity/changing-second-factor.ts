// Turns two-factor authentication on and off, and resets it for people who have lost theirs. A caller first confirms the password (confirming-password.ts), except to confirm a code.
import { Secret, TOTP } from 'otpauth'
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { isOnlyOf } from './accounts.ts'
import { beginAttempt, codeGuessing, forgetAttempts, type Slowed, withdrawAttempt } from './attempts.ts'
import { tellOfSecondFactor } from './notices.ts'
import { renewRecoveryCodes, totpStep, useRecoveryCode, useTotp } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { end, lockSession, type OwnSession } from './sessions.ts'

const pendingMinutes = 15

/** Stores a new secret for an authenticator app. It counts once a code of it is confirmed, which is possible for some minutes. */
export function beginSecondFactor(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
): Promise<{ secret: string; uri: string } | 'on already' | 'session ended'> {
  const secret = new Secret({ size: 20 })
  return db.transaction(async (queries) => {
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await queries.sql<{ email: string }[]>`
      update users set totp_pending_secret = ${secrets.seal(own.userId, secret.base32)},
        totp_pending_until = now() + make_interval(mins => ${pendingMinutes})
      where id = ${own.userId} and totp_secret is null returning email`
    if (!user) return 'on already'
    const { email: label } = user
    return { secret: secret.base32, uri: new TOTP({ issuer: 'Cardinal', label, secret }).toString() }
  })
}

/**
 * Tries a code. Wrong ones are counted as at sign-in, over all IP addresses; an attempt that ended otherwise says nothing about the code.
 */
async function tryCode<Outcome extends object | string>(
  db: Database,
  userId: number,
  work: (queries: Queries) => Promise<Outcome>,
): Promise<Outcome | Slowed> {
  const guessing = codeGuessing(userId)
  const attempt = await beginAttempt(db, guessing)
  if ('refusal' in attempt) return attempt
  const outcome = await db.transaction(work)
  if (outcome === 'wrong code')
    return attempt.delaySeconds > 0
      ? { refusal: 'too_many_attempts', waitSeconds: attempt.delaySeconds }
      : outcome
  if (typeof outcome === 'string') await withdrawAttempt(db, guessing)
  else await forgetAttempts(db, guessing)
  return outcome
}

/** Turns it on with a code of the new secret, and returns the recovery codes. */
export function confirmSecondFactor(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  code: string,
  origin: Origin,
): Promise<string[] | Slowed | 'not begun' | 'expired' | 'wrong code' | 'session ended'> {
  const { userId, sessionId } = own
  return tryCode(db, userId, async (queries) => {
    const { sql } = queries
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await sql<{ pending: string | null; is_valid: boolean | null }[]>`
      select totp_pending_secret as pending, totp_pending_until > now() as is_valid from users where id = ${userId}`
    const { pending, is_valid: isValid } = user as NonNullable<typeof user>
    if (!pending) return 'not begun'
    if (!isValid) return 'expired'
    const step = totpStep(secrets.open(userId, pending), code)
    if (step === null) return 'wrong code'
    await sql`
      update users set totp_secret = ${pending}, totp_pending_secret = null, totp_last_step = ${step}, updated_at = now()
      where id = ${userId}`
    // This session has passed the second factor by confirming the code; the others have not, so they end.
    await end(queries, { userId, keptId: sessionId }, 'second_factor_changed')
    await sql`update sessions set second_factor = true where id = ${sessionId}`
    await recordEntry(queries, origin, { kind: 'second_factor.enabled', accountId: userId })
    await tellOfSecondFactor(queries, userId, 'enabled', origin)
    return renewRecoveryCodes(queries, userId)
  })
}

export interface GivenCode {
  code: string
  isRecovery: boolean
}

/** Changes it after a code of the authenticator app or a recovery code, which is too long to be guessed and so is not counted. */
function changeWithCode<Done extends object>(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  { code, isRecovery }: GivenCode,
  change: (queries: Queries) => Promise<Done>,
): Promise<Done | Slowed | 'wrong code' | 'off' | 'session ended'> {
  const { userId } = own
  const work = async (queries: Queries) => {
    // Of two concurrent calls one replaces the codes of the other.
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await queries.sql<{ totp_secret: string | null }[]>`
      select totp_secret from users where id = ${userId}`
    const secret = user?.totp_secret
    if (!secret) return 'off'
    const passes = isRecovery
      ? await useRecoveryCode(queries, userId, code)
      : await useTotp(queries, secrets, { userId, secret }, code)
    return passes ? change(queries) : 'wrong code'
  }
  return isRecovery ? db.transaction(work) : tryCode(db, userId, work)
}

/** Turns it off; the recovery codes are deleted. Returns how many other sessions have ended. */
export const disableSecondFactor = (
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  { endsOthers, ...given }: GivenCode & { endsOthers: boolean },
  origin: Origin,
) =>
  changeWithCode(db, secrets, own, given, async (queries) => {
    const { userId, sessionId } = own
    await forgetSecondFactor(queries, userId)
    const ended = endsOthers ? await end(queries, { userId, keptId: sessionId }, 'revoked') : 0
    const details = { sessions_ended: ended }
    await recordEntry(queries, origin, { kind: 'second_factor.disabled', accountId: userId, details })
    await tellOfSecondFactor(queries, userId, 'disabled', origin)
    return { ended }
  })

/** Replaces the recovery codes. */
export const regenerateRecoveryCodes = (
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  given: GivenCode,
  origin: Origin,
) =>
  changeWithCode(db, secrets, own, given, async (queries) => {
    await recordEntry(queries, origin, { kind: 'second_factor.codes_regenerated', accountId: own.userId })
    await tellOfSecondFactor(queries, own.userId, 'codes', origin)
    return renewRecoveryCodes(queries, own.userId)
  })

/**
 * Turns it off for somebody who has lost it, and ends all their sessions. With a platform, only for users who belong to it and to no
 * other.
 */
export function resetSecondFactor(
  db: Database,
  userId: number,
  { platformId }: { platformId: number | null },
  origin: Origin,
): Promise<{ ended: number } | 'no user' | 'off already'> {
  return db.transaction(async (queries) => {
    const [user] = await queries.sql<{ is_on: boolean }[]>`
      select u.totp_secret is not null as is_on from users u where u.id = ${userId} ${isOnlyOf(queries, platformId)}
      for no key update`
    if (!user) return 'no user'
    if (!user.is_on) return 'off already'
    await forgetSecondFactor(queries, userId)
    const ended = await end(queries, { userId }, 'second_factor_changed')
    const details = { sessions_ended: ended }
    await recordEntry(queries, origin, { kind: 'second_factor.reset', accountId: userId, details })
    await tellOfSecondFactor(queries, userId, 'reset', origin)
    return { ended }
  })
}

async function forgetSecondFactor(queries: Queries, userId: number): Promise<void> {
  const { sql } = queries
  await sql`
    update users set totp_secret = null, totp_pending_secret = null, updated_at = now() where id = ${userId}`
  await sql`delete from recovery_codes where user_id = ${userId}`
  await forgetAttempts(queries, codeGuessing(userId))
}
