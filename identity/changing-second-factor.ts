// Turns two-factor authentication on and off, and resets it for people who have lost theirs. A caller first confirms the password (confirming-password.ts), except to confirm a code.
import { Secret, TOTP } from 'otpauth'
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import { isOnlyOf } from './accounts.ts'
import { beginAttempt, codeGuessing, forgetAttempts, type Slowed, withdrawAttempt } from './attempts.ts'
import { renewRecoveryCodes, totpStep, useRecoveryCode, useTotp } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { end, lockSession, type OwnSession } from './sessions.ts'

/** Stores a new secret for an authenticator app. It counts once a code of it is confirmed. */
export function beginSecondFactor(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
): Promise<{ secret: string; uri: string } | 'on already' | 'session ended'> {
  const secret = new Secret({ size: 20 })
  return db.transaction(async (queries) => {
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await queries.sql<{ email: string }[]>`
      update users set totp_pending_secret = ${secrets.seal(own.userId, secret.base32)} where id = ${own.userId} and totp_secret is null returning email`
    if (!user) return 'on already'
    const { email: label } = user
    return { secret: secret.base32, uri: new TOTP({ issuer: 'Cardinal', label, secret }).toString() }
  })
}

/** Turns it on with a code of the new secret, and returns the recovery codes. */
export function confirmSecondFactor(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  code: string,
  origin: Origin,
): Promise<string[] | 'not begun' | 'wrong code' | 'session ended'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const { userId, sessionId } = own
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await sql<{ totp_pending_secret: string | null }[]>`
      select totp_pending_secret from users where id = ${userId}`
    const pending = user?.totp_pending_secret
    if (!pending) return 'not begun'
    const step = totpStep(secrets.open(userId, pending), code)
    if (step === null) return 'wrong code'
    await sql`
      update users set totp_secret = ${pending}, totp_pending_secret = null, totp_last_step = ${step}, updated_at = now()
      where id = ${userId}`
    // This session has passed the second factor by confirming the code; the others have not, so they end.
    await end(queries, { userId, keptId: sessionId }, 'second_factor_changed')
    await sql`update sessions set second_factor = true where id = ${sessionId}`
    await recordEntry(queries, origin, { kind: 'second_factor.enabled', accountId: userId })
    return renewRecoveryCodes(queries, userId)
  })
}

interface Disabling {
  code: string
  /** The code is a recovery code. */
  isRecovery: boolean
  endsOthers: boolean
}

/** Turns it off with a code; the recovery codes are deleted. Returns how many other sessions have ended. */
export async function disableSecondFactor(
  db: Database,
  secrets: Secrets,
  own: OwnSession,
  wanted: Disabling,
  origin: Origin,
): Promise<{ ended: number } | Slowed | 'wrong code' | 'off already' | 'session ended'> {
  const guessing = codeGuessing(own.userId)
  // A recovery code is too long to be guessed.
  const attempt = wanted.isRecovery ? { delaySeconds: 0 } : await beginAttempt(db, guessing)
  if ('refusal' in attempt) return attempt
  const outcome = await db.transaction((queries) => disable(queries, secrets, own, wanted, origin))
  if (outcome === 'wrong code')
    return attempt.delaySeconds > 0
      ? { refusal: 'too_many_attempts', waitSeconds: attempt.delaySeconds }
      : outcome
  if (typeof outcome !== 'string') await forgetAttempts(db, guessing)
  else if (!wanted.isRecovery) await withdrawAttempt(db, guessing)
  return outcome
}

async function disable(
  queries: Queries,
  secrets: Secrets,
  own: OwnSession,
  { code, isRecovery, endsOthers }: Disabling,
  origin: Origin,
): Promise<{ ended: number } | 'wrong code' | 'off already' | 'session ended'> {
  const { userId, sessionId } = own
  if (!(await lockSession(queries, own))) return 'session ended'
  const [user] = await queries.sql<{ totp_secret: string | null }[]>`
    select totp_secret from users where id = ${userId}`
  const secret = user?.totp_secret
  if (!secret) return 'off already'
  const passes = isRecovery
    ? await useRecoveryCode(queries, userId, code)
    : await useTotp(queries, secrets, { userId, secret }, code)
  if (!passes) return 'wrong code'
  await forgetSecondFactor(queries, userId)
  const ended = endsOthers ? await end(queries, { userId, keptId: sessionId }, 'revoked') : 0
  const details = { sessions_ended: ended }
  await recordEntry(queries, origin, { kind: 'second_factor.disabled', accountId: userId, details })
  return { ended }
}

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
    await forgetAttempts(queries, codeGuessing(userId))
    const ended = await end(queries, { userId }, 'second_factor_changed')
    const details = { sessions_ended: ended }
    await recordEntry(queries, origin, { kind: 'second_factor.reset', accountId: userId, details })
    return { ended }
  })
}

async function forgetSecondFactor({ sql }: Queries, userId: number): Promise<void> {
  await sql`
    update users set totp_secret = null, totp_pending_secret = null, updated_at = now() where id = ${userId}`
  await sql`delete from recovery_codes where user_id = ${userId}`
}

/** Replaces the recovery codes. */
export function regenerateRecoveryCodes(
  db: Database,
  own: OwnSession,
  origin: Origin,
): Promise<string[] | 'off' | 'session ended'> {
  return db.transaction(async (queries) => {
    // Of two concurrent calls one replaces the codes of the other.
    if (!(await lockSession(queries, own))) return 'session ended'
    const [user] = await queries.sql`select from users where id = ${own.userId} and totp_secret is not null`
    if (!user) return 'off'
    await recordEntry(queries, origin, { kind: 'second_factor.codes_regenerated', accountId: own.userId })
    return renewRecoveryCodes(queries, own.userId)
  })
}
