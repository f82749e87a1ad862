import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, record, text } from '#contract/schema.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { signInWithPasskey } from '#identity/signing-in-with-passkey.ts'
import { assertionInput, assertionOf } from './assertion.ts'
import { notAccepted, requireSite, unavailable } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/sign-in',
  summary: 'Sign in with a passkey, without a password and a code',
  about: 'Send `data.token` of the answer as the Bearer token of all other calls.',
  audience: 'public',
  input: assertionInput,
  success: 200,
  message: 'Signed in.',
  output: record({ token: text(), user_id: integer() }),
  failures: {
    400: unavailable,
    401: {
      ...notAccepted,
      passkey_unknown: 'This passkey is not known here. It may have been removed from the account.',
    },
    403: { account_disabled: 'This account is disabled.' },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passkeys, devices, lifetimes, boundedAudit, log, http, fail }) {
    const site = requireSite(passkeys, fail)
    const device = { ...deviceOf(http), isKnown: (email: string) => devices.isKnown(http, email) }
    const outcome = await signInWithPasskey(
      { db, passkeys, site, lifetimes, boundedAudit },
      assertionOf(input),
      device,
      originOf({ http, caller, log }),
    )
    if (!('refusal' in outcome)) {
      await devices.remember(http, outcome.email)
      http.language = outcome.language
      const token = sendToken(http, device.carrier, outcome.token, lifetimes)
      return { token, user_id: outcome.userId }
    }
    if (outcome.refusal === 'account_disabled') throw fail(403, outcome.refusal)
    if ('waitSeconds' in outcome) throw tooFast(outcome, fail)
    throw fail(401, outcome.refusal)
  },
})
