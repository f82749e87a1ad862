import { operation } from '#api/operation.ts'
import type { Exchange, Fail } from '#contract/operation.ts'
import { email, flag, integer, nullable, optional, record, secret, text } from '#contract/schema.ts'
import type { Database, Queries } from '#database/connect.ts'
import { attemptKey, beginAttempt, forgetAttempts, withdrawAttempt } from '#identity/attempts.ts'
import type { Passwords } from '#identity/passwords.ts'
import { countRecoveryCodes, useRecoveryCode, useTotp } from '#identity/second-factor.ts'
import { carrierAskedFor, openSession } from '#identity/sessions.ts'
import { tokenHash } from '#identity/tokens.ts'
import { findUserByEmail, type UserRow } from '#identity/users.ts'

export default operation({
  path: '/v1/authenticate',
  summary: 'Sign in with e-mail and password',
  audience: 'public',
  input: {
    email: email(),
    password: secret(),
    token: optional(text()),
    code: optional(text()),
    is_recovery: optional(flag()),
  },
  success: 200,
  message: 'Signed in.',
  output: record({
    needs_code__regeneration: flag(),
    warn_message: text(),
    token: text(),
    language: nullable(text()),
    id: integer(),
    name: text(),
    email: text(),
    superadmin: flag(),
    superadmin_billing: flag(),
    enable_ai: flag(),
  }),
  failures: [401, 403, 429],
  bodies: { 400: 'error, message', 401: 'error, message', 403: 'error, message' },
  successErrors: true,
  handle({ input, db, passwords, http, fail }) {
    const answer = passwords.admit(() => signIn(input, db, passwords, http, fail))
    if (!answer) throw fail(429, 1)
    return answer
  },
})

interface Credentials {
  email: string
  password: string
  token?: string | null
  code?: string | null
  is_recovery?: boolean | null
}

async function signIn(
  input: Credentials,
  db: Database,
  passwords: Passwords,
  http: Exchange,
  fail: Fail<401 | 403 | 429>,
) {
  const key = attemptKey(input.email, http.address)
  const attempt = await beginAttempt(db, key)
  if ('blockedSeconds' in attempt) throw fail(429, attempt.blockedSeconds)
  const refused = (sentence: string) =>
    attempt.delaySeconds > 0 ? fail(429, attempt.delaySeconds) : fail(401, sentence)

  const user = await findUserByEmail(db, input.email)
  const matches = await passwords.verify(user?.password_hash, input.password)
  if (!user || !matches) throw refused('These credentials do not match our records.')
  if (user.disabled_at !== null) {
    await withdrawAttempt(db, key)
    throw fail(403, 'This account is disabled.')
  }
  const trusted = await isTrusted(db, user, input.token)
  if (user.totp_secret !== null && !trusted && !input.code) {
    await withdrawAttempt(db, key)
    throw fail(403, 'A code of the second factor is required.')
  }
  const rehashed = passwords.needsRehash(user.password_hash)
    ? await passwords.hash(input.password)
    : undefined

  return db.transaction(async (queries) => {
    // Locked and looked at again: what was changed while it was compared opens no session any more.
    const [same] = await queries.sql`
      select 1 from users where id = ${user.id} and password_hash = ${user.password_hash} and disabled_at is null
        and totp_secret is not distinct from ${user.totp_secret}
      for no key update`
    if (!same) throw refused('These credentials do not match our records.')
    if (user.totp_secret !== null && !trusted && !(await passesSecondFactor(queries, user, input)))
      throw refused('The code is not valid.')
    if (trusted) {
      const replaced = await queries.sql`delete from sessions where token_hash = decode(${trusted}, 'hex')`
      if (replaced.count === 0) throw refused('The code is not valid.')
    }
    if (rehashed) await queries.sql`update users set password_hash = ${rehashed} where id = ${user.id}`
    await forgetAttempts(queries, key)
    const token = await openSession(queries, http, {
      userId: user.id,
      carrier: carrierAskedFor(http),
      secondFactor: user.totp_secret !== null,
    })
    const codesLeft = user.totp_secret === null ? undefined : await countRecoveryCodes(queries, user.id)
    return {
      needs_code__regeneration: codesLeft === 0,
      warn_message: warning(codesLeft),
      token,
      language: user.language,
      id: user.id,
      name: user.name,
      email: user.email,
      superadmin: user.superadmin,
      superadmin_billing: user.superadmin_billing,
      enable_ai: user.enable_ai,
    }
  })
}

/** The hash of an earlier token of this user that passed the second factor and is still valid. */
async function isTrusted({ sql }: Database, user: UserRow, token: string | null | undefined) {
  const hash = token ? tokenHash(token) : undefined
  if (!hash) return undefined
  const found = await sql`
    select 1 from sessions
    where token_hash = decode(${hash}, 'hex') and user_id = ${user.id} and second_factor and expires_at > now()`
  return found.length > 0 ? hash : undefined
}

function passesSecondFactor(queries: Queries, user: UserRow, { code, is_recovery }: Credentials) {
  if (!code || user.totp_secret === null) return false
  return is_recovery
    ? useRecoveryCode(queries, user.id, code)
    : useTotp(queries, user.id, user.totp_secret, code)
}

function warning(codesLeft: number | undefined): string {
  if (codesLeft === undefined || codesLeft >= 3) return ''
  if (codesLeft === 0) return 'No recovery codes are left; make new ones.'
  return `${codesLeft} recovery ${codesLeft === 1 ? 'code' : 'codes'} left.`
}
