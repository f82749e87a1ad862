import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { email, flag, integer, nullable, optional, record, secret, text } from '#contract/schema.ts'
import type { Sentence } from '#contract/speech.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { type SignedIn, signIn } from '#identity/signing-in.ts'

export default operation({
  path: '/v1/authenticate',
  summary: 'Sign in with email and password',
  about:
    'Send `data.token` of the answer as the Bearer token of all other calls. If the account uses two-factor authentication, a correct password without a `code` is answered with 403 and `second_factor_required`: ask for a code and send the request again with it. The answer tells how many recovery codes are left in `warn_message`, and `needs_code__regeneration` is true when none is.',
  audience: 'public',
  input: {
    email: email(),
    password: secret(),
    token: optional(
      text({
        max: 255,
        about:
          'The token of an earlier sign-in that passed two-factor authentication, if it is still valid. It replaces the code once; the new token takes its place.',
      }),
    ),
    code: optional(
      text({
        max: 1024,
        about:
          'For accounts with two-factor authentication: the 6-digit code that the authenticator app shows now, or a recovery code if `is_recovery` is true.',
      }),
    ),
    is_recovery: optional(
      flag({ about: 'True if `code` is one of the ten recovery codes. Each of them works once.' }),
    ),
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
  failures: {
    401: {
      wrong_credentials: 'These credentials do not match our records.',
      wrong_code: 'The code is not valid.',
    },
    403: {
      account_disabled: 'This account is disabled.',
      second_factor_required: 'A two-factor authentication code is required.',
    },
    429: guessingTooFast,
  },
  bodies: { 400: 'error, message', 401: 'error, message', 403: 'error, message' },
  successErrors: true,
  async handle({
    input,
    caller,
    signInDb,
    passwords,
    secrets,
    devices,
    lifetimes,
    boundedAudit,
    log,
    http,
    fail,
  }) {
    const { is_recovery: isRecovery = null, ...credentials } = input
    const device = { ...deviceOf(http), isKnown: await devices.isKnown(http, input.email) }
    const origin = originOf({ http, caller, log })
    const outcome = await signIn(
      { db: signInDb, passwords, secrets, lifetimes, boundedAudit },
      { ...credentials, isRecovery },
      device,
      origin,
    )
    if (!('refusal' in outcome)) {
      await devices.remember(http, input.email)
      http.language = outcome.user.language
      const warning = http.say(warningOf(outcome.recoveryCodesLeft))
      return {
        ...view(outcome),
        warn_message: warning,
        token: sendToken(http, device.carrier, outcome.token, lifetimes),
      }
    }
    if (outcome.refusal === 'account_disabled' || outcome.refusal === 'second_factor_required')
      throw fail(403, outcome.refusal)
    if (outcome.refusal === 'too_many_attempts' || outcome.refusal === 'server_busy')
      throw tooFast(outcome, fail)
    if (outcome.refusal === 'wrong_code')
      log.warn({ userId: outcome.userId, address: http.address }, 'wrong code after a right password')
    const { refusal, waitSeconds } = outcome
    throw waitSeconds > 0 ? fail(429, 'too_many_attempts', waitSeconds) : fail(401, refusal)
  },
})

const view = ({ user, recoveryCodesLeft }: SignedIn) => ({
  needs_code__regeneration: recoveryCodesLeft === 0,
  language: user.language,
  id: user.id,
  name: user.name,
  email: user.email,
  superadmin: user.superadmin,
  superadmin_billing: user.superadmin_billing,
  enable_ai: user.enable_ai,
})

/** Said when few recovery codes are left. */
export const warnings = {
  none: 'No recovery codes are left; make new ones.',
  one: '1 recovery code left.',
  few: ':count recovery codes left.',
} as const

function warningOf(count: number | undefined): Sentence {
  if (count === undefined || count >= 3) return { text: '' }
  if (count === 0) return { text: warnings.none }
  return { text: count === 1 ? warnings.one : warnings.few, values: { count } }
}
