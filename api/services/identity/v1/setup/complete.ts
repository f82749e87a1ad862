import { tooEasy, tooEasyFor } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { busy } from '#contract/failure.ts'
import { integer, newEmail, nullable, optional, record, secret, text } from '#contract/schema.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { shortestPassword } from '#identity/weak-password.ts'
import { setUp } from '#projects/setting-up.ts'
import { setupFailures, setupToken, unusable } from './setup-link.ts'

export default operation({
  path: '/services/identity/v1/setup/complete',
  summary: 'Create the first superadmin with the setup link that the start printed, and sign them in',
  audience: 'public',
  input: {
    token: setupToken,
    name: text({ max: 255, about: 'The name of the first superadmin.' }),
    email: newEmail(),
    password: secret({ min: shortestPassword }),
    project_name: optional(text({ max: 255 })),
  },
  success: 201,
  message: 'Cardinal is set up.',
  output: record({ token: text(), user_id: integer(), project_id: nullable(integer()) }),
  failures: {
    ...setupFailures,
    422: {
      password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
    },
  },
  async handle({ input, caller, db, passwords, lifetimes, log, http, quotas, fail }) {
    if (isTooLong(input.password)) throw fail(422, { password: 'too_long' })
    const first = { ...input, projectName: input.project_name ?? null }
    const device = deviceOf(http)
    const origin = originOf({ http, caller, log })
    const outcome = await setUp({ db, passwords, quotas, lifetimes }, first, device, origin)
    if ('weakness' in outcome) throw fail(422, { password: tooEasyFor(outcome.weakness) })
    if ('refusal' in outcome)
      throw outcome.refusal === 'server_busy' ? busy(outcome.waitSeconds) : unusable(outcome.refusal, fail)
    const { token, userId, projectId } = outcome
    return {
      token: sendToken(http, device.carrier, token, lifetimes),
      user_id: userId,
      project_id: projectId,
    }
  },
})
