import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, nullable, optional, record, text } from '#contract/schema.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { signOn } from '#projects/signing-on.ts'
import { off, requireSingleSignOn, takeAttempt } from './single-sign-on.ts'

const forbidden = {
  address_unverified: 'The identity provider has not verified your email address.',
  domain_not_allowed: 'Email addresses of this domain cannot sign in here.',
  no_access:
    'You have no account here, and the identity provider does not say that you belong to a project. Ask for an invitation.',
  mistakable_letter:
    'Your email address at the identity provider contains a letter that counts as another one here, such as İ, so it cannot get an account.',
  account_disabled: 'This account is disabled.',
  second_factor_required:
    'This account uses two-factor authentication, and the identity provider has asked for one factor only. Sign in with your password and a code, or with a passkey.',
} as const

const isForbidden = (refusal: string): refusal is keyof typeof forbidden => refusal in forbidden

export default operation({
  path: '/services/identity/v1/single-sign-on/complete',
  summary: 'Sign in with what the identity provider has sent the browser back with',
  about:
    'If an account has the same address and is not linked with the person yet, the answer has no token but a `link_token`: its owner signs in as usual and calls `single-sign-on/link`. A person without an account gets one if the provider says that they belong to a project of this installation.',
  audience: 'public',
  input: {
    state: text({ max: 255, about: 'As the provider sent it.' }),
    code: optional(text({ max: 2048, about: 'As the provider sent it.' })),
    iss: optional(text({ max: 1024, about: 'As the provider sent it.' })),
    error: optional(text({ max: 255, about: 'As the provider sent it, instead of a code.' })),
  },
  success: 200,
  message: 'The identity provider has confirmed who you are.',
  output: record({
    token: text({ about: 'Empty with a `link_token`, and if the token is in a cookie.' }),
    user_id: nullable(integer()),
    email: text({ about: 'The address that the provider has verified.' }),
    link_token: nullable(text()),
  }),
  failures: {
    400: { ...off, ...limitReached },
    401: {
      attempt_unknown:
        'This sign-in was started in another browser, too long ago, or was already used. Start again.',
      denied_by_provider: 'The identity provider did not sign you in. Try again.',
      code_refused:
        'The identity provider did not accept its own code. It may have been used before. Start again.',
      wrong_issuer: 'The answer is from another identity provider than the one that is set up here.',
      wrong_audience: 'The answer of the identity provider is for another application.',
      wrong_nonce: 'The answer of the identity provider belongs to another sign-in. Start again.',
      token_expired: 'The answer of the identity provider has expired. Start again.',
      token_invalid: 'The answer of the identity provider is not valid.',
    },
    403: forbidden,
    500: { identity_provider_failed: 'The identity provider does not respond. Try again in a minute.' },
  },
  async handle(call) {
    const { input, caller, db, forNewMembers, devices, lifetimes, boundedAudit, quotas, log, http, fail } =
      call
    const provider = requireSingleSignOn(call.singleSignOn, fail)
    const { state, code = null, iss: issuer = null, error = null } = input
    const person = await provider.complete(takeAttempt(http), { state, code, issuer, error })
    const device = { ...deviceOf(http), isKnown: (email: string) => devices.isKnown(http, email) }
    const means = { db, forNewMembers, settings: provider.settings, lifetimes, boundedAudit, quotas }
    const origin = originOf({ http, caller, log })
    const outcome = await signOn(means, person, device, origin).catch(onLimit((limit) => fail(400, ...limit)))
    if ('refusal' in outcome) {
      const { refusal } = outcome
      if (refusal === 'provider_failed') throw fail(500, 'identity_provider_failed')
      throw isForbidden(refusal) ? fail(403, refusal) : fail(401, refusal)
    }
    if ('linkToken' in outcome)
      return { token: '', user_id: null, email: outcome.email, link_token: outcome.linkToken }
    await devices.remember(http, outcome.email)
    http.language = outcome.language
    const token = sendToken(http, device.carrier, outcome.token, lifetimes)
    return { token, user_id: outcome.userId, email: outcome.email, link_token: null }
  },
})
