import { operation, type Services } from '#api/operation.ts'
import { busy, type Fail } from '#contract/failure.ts'
import type { Exchange } from '#contract/operation.ts'
import { email, flag, integer, nullable, optional, record, secret, text } from '#contract/schema.ts'
import type { Database, Queries } from '#database/connect.ts'
import {
  beginAttempt,
  codeGuessing,
  forgetAttempts,
  type Guessing,
  guessingTooFast,
  passwordGuessing,
  withdrawAttempt,
} from '#identity/attempts.ts'
import { countRecoveryCodes, useRecoveryCode, useTotp } from '#identity/second-factor.ts'
import { carrierAskedFor, openSession } from '#identity/sessions.ts'
import { tokenHash } from '#identity/tokens.ts'
import { findAccount, type UserRow } from '#identity/users.ts'
import { forgetOwnSlips, rememberWrongCode } from '#identity/wrong-codes.ts'

const failures = {
  401: {
    wrong_credentials: 'These credentials do not match our records.',
    wrong_code: 'The code is not valid.',
  },
  403: {
    account_disabled: 'This account is disabled.',
    second_factor_required: 'A code of the second factor is required.',
  },
  429: guessingTooFast,
} as const

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
  failures,
  bodies: { 400: 'error, message', 401: 'error, message', 403: 'error, message' },
  successErrors: true,
  handle({ input, db, passwords, log, http, fail }) {
    const answer = passwords.admit(() => signIn({ input, db, passwords, log, http, fail }))
    if (!answer) throw busy(1)
    return answer
  },
})

interface SignIn extends Pick<Services, 'db' | 'passwords' | 'log'> {
  input: Credentials
  http: Exchange
  fail: Fail<typeof failures>
}

interface Credentials {
  email: string
  password: string
  token?: string | null
  code?: string | null
  is_recovery?: boolean | null
}

async function signIn({ input, db, passwords, log, http, fail }: SignIn) {
  const { user, account } = await findAccount(db, input.email)
  const guessing = passwordGuessing(account, http.address)
  const attempt = await beginAttempt(db, guessing)
  if ('blockedSeconds' in attempt) throw fail(429, 'too_many_attempts', attempt.blockedSeconds)
  const refused = (code: keyof (typeof failures)[401], delaySeconds = attempt.delaySeconds) =>
    delaySeconds > 0 ? fail(429, 'too_many_attempts', delaySeconds) : fail(401, code)
  const withdrawn = async <Failure>(failure: Failure) => {
    await withdrawAttempt(db, guessing)
    return failure
  }

  const matches = await passwords.verify(user?.password_hash, input.password)
  if (!user || !matches) throw refused('wrong_credentials')
  if (user.disabled_at !== null) throw await withdrawn(fail(403, 'account_disabled'))
  const trusted = await isTrusted(db, user, input.token)
  const needsCode = user.totp_secret !== null && !trusted
  if (needsCode && !input.code) throw await withdrawn(fail(403, 'second_factor_required'))
  // A recovery code is too long to be guessed, and stays a way in while somebody else guesses codes.
  const codeAttempt =
    needsCode && !input.is_recovery ? await beginAttempt(db, codeGuessing(user.id)) : { delaySeconds: 0 }
  if ('blockedSeconds' in codeAttempt)
    throw await withdrawn(fail(429, 'too_many_attempts', codeAttempt.blockedSeconds))
  const rehashed = passwords.needsRehash(user.password_hash)
    ? await passwords.hash(input.password)
    : undefined

  const outcome = await db.transaction((queries) =>
    opened(queries, { user, input, http, guessing, trusted, rehashed }),
  )
  if (outcome === 'changed meanwhile') throw refused('wrong_credentials')
  if (outcome !== 'wrong code') return outcome
  await rememberWrongCode(db, user.id, http.address)
  log.warn({ userId: user.id, address: http.address }, 'wrong code after a right password')
  throw refused('wrong_code', Math.max(attempt.delaySeconds, codeAttempt.delaySeconds))
}

interface Opening {
  user: UserRow
  input: Credentials
  http: Exchange
  guessing: Guessing
  /** The hash of the token that stands in for the code. */
  trusted: string | undefined
  rehashed: string | undefined
}

/** Opens a session, unless the code is wrong. */
async function opened(queries: Queries, { user, input, http, guessing, trusted, rehashed }: Opening) {
  const { sql } = queries
  // Locked and looked at again: what was changed while it was compared opens no session any more.
  const [same] = await sql`
    select 1 from users where id = ${user.id} and password_hash = ${user.password_hash} and disabled_at is null
      and totp_secret is not distinct from ${user.totp_secret}
    for no key update`
  if (!same || (trusted && !(await endSession(queries, trusted)))) return 'changed meanwhile'
  if (user.totp_secret !== null && !trusted && !(await passesSecondFactor(queries, user, input)))
    return 'wrong code'
  if (rehashed) await sql`update users set password_hash = ${rehashed} where id = ${user.id}`
  await forgetAttempts(queries, guessing)
  if (user.totp_secret !== null) {
    await forgetAttempts(queries, codeGuessing(user.id))
    await forgetOwnSlips(queries, user.id, http.address)
  }
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

/** Ends the session of a token that another one replaces; false where it has ended already. */
async function endSession({ sql }: Queries, tokenHash: string): Promise<boolean> {
  const ended = await sql`delete from sessions where token_hash = decode(${tokenHash}, 'hex')`
  return ended.count > 0
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
