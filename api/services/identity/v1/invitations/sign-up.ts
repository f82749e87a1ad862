import { tooEasy, tooEasyFor } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { busy } from '#contract/failure.ts'
import { integer, oneOf, optional, record, secret, text } from '#contract/schema.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { shortestPassword } from '#identity/weak-password.ts'
import { languages } from '#languages/known.ts'
import { signUpByInvitation } from '#projects/invitation/accepting.ts'
import { invitationToken, linkFailures, uselessFailure } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/sign-up',
  summary: 'Create the account of an invited person and join the project; signs them in',
  about:
    'The account has the address that was invited. People who have an account sign in and call `invitations/accept`.',
  audience: 'public',
  input: {
    token: invitationToken,
    name: text({ max: 255, about: 'The name of the new person.' }),
    password: secret({ min: shortestPassword }),
    language: optional(oneOf(languages)),
  },
  success: 201,
  message: 'Your account was created.',
  output: record({ token: text(), user_id: integer(), project_id: integer() }),
  failures: {
    ...linkFailures,
    400: {
      ...linkFailures[400],
      ...limitReached,
      account_exists: 'This address has an account. Sign in to accept the invitation.',
    },
    422: {
      password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
    },
  },
  async handle({ input, caller, db, passwords, lifetimes, quotas, devices, log, http, fail }) {
    const { token: linkSecret, name, password, language = null } = input
    if (isTooLong(password)) throw fail(422, { password: 'too_long' })
    const device = deviceOf(http)
    const outcome = await signUpByInvitation(
      { db, passwords, lifetimes, quotas },
      { secret: linkSecret, name, password, language },
      device,
      originOf({ http, caller, log }),
    ).catch(onLimit((limit) => fail(400, ...limit)))
    if (outcome === 'has account') throw fail(400, 'account_exists')
    if ('useless' in outcome) throw uselessFailure(outcome.useless, fail)
    if ('weakness' in outcome) throw fail(422, { password: tooEasyFor(outcome.weakness) })
    if ('refusal' in outcome) throw busy(outcome.waitSeconds)
    await devices.remember(http, outcome.email)
    return {
      token: sendToken(http, device.carrier, outcome.token, lifetimes),
      user_id: outcome.userId,
      project_id: outcome.projectId,
    }
  },
})
