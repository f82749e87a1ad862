import { refuseReserved, tooEasy, tooEasyFor } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { onLimit } from '#api/quota.ts'
import { busy } from '#contract/failure.ts'
import { secret } from '#contract/schema.ts'
import { deviceOf } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { shortestPassword } from '#identity/weak-password.ts'
import { signUpByInvitation } from '#projects/invitation/signing-up.ts'
import {
  isRefused,
  newPerson,
  newPersonFailure,
  newPersonFailures,
  signedUp,
  signedUpAnswer,
} from './new-person.ts'

export default operation({
  path: '/services/identity/v1/invitations/sign-up',
  summary: 'Create the account of an invited person and join the project; signs them in',
  about:
    'The account has the address that was invited. People who have an account sign in and call `invitations/accept`. `invitations/sign-up-with-passkey` does the same without a password.',
  audience: 'public',
  input: {
    ...newPerson,
    password: secret({ min: shortestPassword }),
  },
  success: 201,
  message: 'Your account was created.',
  output: signedUp,
  failures: {
    ...newPersonFailures,
    422: {
      ...newPersonFailures[422],
      password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
    },
  },
  check: (call) => refuseReserved(call),
  async handle({ input, caller, db, forNewMembers, passwords, lifetimes, quotas, devices, log, http, fail }) {
    const { token: linkSecret, name, password, language = null } = input
    if (isTooLong(password)) throw fail(422, { password: 'too_long' })
    const device = deviceOf(http)
    const outcome = await signUpByInvitation(
      { db, forNewMembers, passwords, lifetimes, quotas },
      { secret: linkSecret, name, password, language },
      device,
      originOf({ http, caller, log }),
    ).catch(onLimit((limit) => fail(400, ...limit)))
    if (isRefused(outcome)) throw newPersonFailure(outcome, fail)
    if ('weakness' in outcome) throw fail(422, { password: tooEasyFor(outcome.weakness) })
    if ('refusal' in outcome) throw busy(outcome.waitSeconds)
    return signedUpAnswer(outcome, device, { http, devices, lifetimes })
  },
})
