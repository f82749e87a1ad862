// Turns two-factor authentication on and off. A caller first confirms the password (confirming-password.ts), except to confirm a code.
import { Secret, TOTP } from 'otpauth'
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database } from '#database/connect.ts'
import { renewRecoveryCodes, totpStep } from './second-factor.ts'
import type { Secrets } from './secrets.ts'
import { lockSession, type OwnSession } from './sessions.ts'

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
    await sql`delete from sessions where user_id = ${userId} and id <> ${sessionId}`
    await sql`update sessions set second_factor = true where id = ${sessionId}`
    await recordEntry(queries, origin, { kind: 'second_factor.enabled', accountId: userId })
    return renewRecoveryCodes(queries, userId)
  })
}

/** Turns it off; the recovery codes are deleted. */
export function disableSecondFactor(
  db: Database,
  own: OwnSession,
  origin: Origin,
): Promise<'disabled' | 'off already' | 'session ended'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    const { userId } = own
    if (!(await lockSession(queries, own))) return 'session ended'
    const [disabled] = await sql`
      update users set totp_secret = null, totp_pending_secret = null, updated_at = now()
      where id = ${userId} and totp_secret is not null returning id`
    if (!disabled) return 'off already'
    await sql`delete from recovery_codes where user_id = ${userId}`
    await recordEntry(queries, origin, { kind: 'second_factor.disabled', accountId: userId })
    return 'disabled'
  })
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
