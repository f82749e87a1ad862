import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { nothing } from '#contract/schema.ts'
import { confirmWithPasskey } from '#identity/signing-in-with-passkey.ts'
import { assertionInput, assertionOf } from './assertion.ts'
import { notAccepted, requireSite, unavailable } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/confirm',
  summary: 'Use a passkey again in this session, for operations that ask for it after 15 minutes',
  about: 'The challenge comes from `passkeys/begin-sign-in`. It takes the place of `password/confirm`.',
  audience: 'signed in',
  input: assertionInput,
  success: 200,
  message: 'The passkey is confirmed.',
  output: nothing,
  failures: { 400: { ...unavailable, ...notAccepted }, 429: guessingTooFast },
  changes: true,
  async handle({ input, caller, db, passkeys, http, fail }) {
    const site = requireSite(passkeys, fail)
    const person = { userId: caller.id, sessionId: caller.sessionId, address: http.address }
    const outcome = await confirmWithPasskey({ db, passkeys, site }, person, assertionOf(input))
    if (outcome === 'confirmed') return []
    throw 'waitSeconds' in outcome ? tooFast(outcome, fail) : fail(400, 'passkey_not_accepted')
  },
})
