import { refuseReserved } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { onLimit } from '#api/quota.ts'
import { text } from '#contract/schema.ts'
import { deviceOf } from '#identity/cookie.ts'
import { signUpWithPasskey } from '#projects/invitation/signing-up.ts'
import {
  createdInput,
  known,
  longestName,
  notAccepted,
  requireSite,
  unavailable,
} from '../passkeys/passkey.ts'
import {
  isRefused,
  newPerson,
  newPersonFailure,
  newPersonFailures,
  signedUp,
  signedUpAnswer,
} from './new-person.ts'

export default operation({
  path: '/services/identity/v1/invitations/sign-up-with-passkey',
  summary: 'Create the account of an invited person with a passkey instead of a password',
  about:
    'The challenge comes from `invitations/begin-passkey`. The account has no password; its owner can set one with a link by email.',
  audience: 'public',
  input: {
    ...newPerson,
    passkey_name: text({
      max: longestName,
      about: 'How the person recognizes it, such as the name of the device.',
    }),
    ...createdInput,
  },
  success: 201,
  message: 'Your account was created.',
  output: signedUp,
  failures: {
    ...newPersonFailures,
    400: { ...newPersonFailures[400], ...unavailable, ...notAccepted, ...known },
  },
  check: (call) => refuseReserved(call),
  async handle({ input, caller, db, forNewMembers, passkeys, lifetimes, quotas, devices, log, http, fail }) {
    const site = requireSite(passkeys, fail)
    const {
      token: linkSecret,
      name,
      language = null,
      passkey_name,
      credential,
      client_data,
      attestation,
    } = input
    const device = deviceOf(http)
    const outcome = await signUpWithPasskey(
      { db, forNewMembers, passkeys, site, lifetimes, quotas },
      {
        secret: linkSecret,
        name,
        language,
        passkey: { name: passkey_name, credential, clientData: client_data, attestation },
      },
      device,
      originOf({ http, caller, log }),
    ).catch(onLimit((limit) => fail(400, ...limit)))
    if (isRefused(outcome)) throw newPersonFailure(outcome, fail)
    if (outcome === 'not accepted') throw fail(400, 'passkey_not_accepted')
    if (outcome === 'known already') throw fail(400, 'passkey_known')
    return signedUpAnswer(outcome, device, { http, devices, lifetimes })
  },
})
