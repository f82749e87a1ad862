import { tooEasy, tooEasyFor } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { busy } from '#contract/failure.ts'
import { nothing, secret } from '#contract/schema.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { findReset, resetPassword } from '#identity/resetting-password.ts'
import { shortestPassword } from '#identity/weak-password.ts'
import { resetFailures, resetToken } from './reset-link.ts'

export default operation({
  path: '/services/identity/v1/password/reset',
  summary: 'Choose a new password with the link of a mail; all sessions end',
  about: 'Sign in with the new password afterwards. Two-factor authentication stays as it is.',
  audience: 'public',
  input: { token: resetToken, new_password: secret({ min: shortestPassword }) },
  success: 200,
  message: 'The password was changed.',
  output: nothing,
  failures: {
    ...resetFailures,
    422: {
      new_password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
    },
  },
  async handle({ input, caller, db, passwords, log, http, fail }) {
    if (isTooLong(input.new_password)) throw fail(422, { new_password: 'too_long' })
    // Before the password is judged and hashed, because that is work and only a valid link should cause it.
    const user = await findReset(db, input.token)
    if (!user) throw fail(404, 'reset_link_not_found')
    const hashed = await passwords.hashNew({ address: http.address }, input.new_password, user)
    if ('weakness' in hashed) throw fail(422, { new_password: tooEasyFor(hashed.weakness) })
    if ('refusal' in hashed) throw busy(hashed.waitSeconds)
    const { passwordHash } = hashed
    const origin = originOf({ http, caller, log })
    const reset = await resetPassword(db, { token: input.token, passwordHash }, origin)
    if (reset === 'no link') throw fail(404, 'reset_link_not_found')
    return []
  },
})
