import { notFound, refuseReserved, reservedName, tooEasy, tooEasyFor } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { trialsFor } from '#billing/trial.ts'
import { busy } from '#contract/failure.ts'
import { integer, oneOf, optional, record, secret, text } from '#contract/schema.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { shortestPassword } from '#identity/weak-password.ts'
import { languages } from '#languages/known.ts'
import { signUp } from '#projects/signing-up.ts'
import { refuseIfOff, signUpFailures, signUpToken } from './sign-up.ts'

export default operation({
  path: '/services/identity/v1/sign-up/complete',
  summary: 'Create an account and its first project with the link of a sign-up; signs the person in',
  about: 'They own the project. It gets the templates of its product and a trial of it.',
  audience: 'public',
  input: {
    token: signUpToken,
    name: text({ max: 255, about: 'The name of the new person.' }),
    password: secret({ min: shortestPassword }),
    project_name: text({ max: 255, about: 'The name of their first project.' }),
    product: optional(text({ max: 50, about: 'The product to try; by default the first that there is.' })),
    language: optional(oneOf(languages)),
    time_zone: optional(text({ max: 64 })),
  },
  success: 201,
  message: 'Your account was created.',
  output: record({ token: text(), user_id: integer(), project_id: integer() }),
  failures: {
    ...signUpFailures,
    400: { account_exists: 'This address has an account. Sign in instead.' },
    422: {
      name: reservedName,
      password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
      product: notFound,
    },
  },
  check: (call) => refuseReserved(call),
  async handle(call) {
    const { input, caller, db, passwords, lifetimes, quotas, billing, devices, log, http, fail } = call
    const rule = call.signUp
    const isOff = refuseIfOff(rule, fail)
    if (isOff) throw isOff
    if (isTooLong(input.password)) throw fail(422, { password: 'too_long' })
    const { token, name, password, language = null, time_zone: timeZone = null, product = null } = input
    const device = deviceOf(http)
    const outcome = await signUp(
      { db, passwords, lifetimes, quotas, rule, trials: trialsFor(db, billing) },
      { token, name, password, language, timeZone, product, projectName: input.project_name },
      device,
      originOf({ http, caller, log }),
    )
    if (outcome === 'unknown product') throw fail(422, { product: 'not_found' })
    if (outcome === 'no link') throw fail(404, 'sign_up_link_not_found')
    if (outcome === 'not allowed') throw fail(403, 'sign_up_off')
    if (outcome === 'has account') throw fail(400, 'account_exists')
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
