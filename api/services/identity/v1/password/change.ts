import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast, tooEasy, tooEasyFor, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { record, secret, text } from '#contract/schema.ts'
import { changePassword } from '#identity/changing-password.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes } from '#identity/passwords.ts'
import { shortestPassword } from '#identity/weak-password.ts'

export default operation({
  path: '/services/identity/v1/password/change',
  summary: 'Change the password; all sessions end and the response opens a new one',
  audience: 'signed in',
  input: { current_password: secret(), new_password: secret({ min: shortestPassword }) },
  success: 200,
  message: 'The password was changed.',
  output: record({ token: text() }),
  failures: {
    401: usual[401],
    422: {
      current_password: incorrect,
      new_password: {
        too_long: `The :attribute field must not be greater than ${longestPasswordBytes} bytes.`,
        ...tooEasy,
      },
    },
    429: guessingTooFast,
  },
  changes: true,
  async handle({ input, caller, db, passwords, lifetimes, log, http, fail }) {
    if (isTooLong(input.new_password)) throw fail(422, { new_password: 'too_long' })
    await requirePassword({ db, passwords, caller, http, fail }, input.current_password, () =>
      fail(422, { current_password: 'incorrect' }),
    )
    const changed = await changePassword(
      { db, passwords, lifetimes },
      { userId: caller.id, sessionId: caller.sessionId },
      input.new_password,
      { ...deviceOf(http), carrier: caller.carrier },
      originOf({ http, caller, log }),
    )
    if (changed === 'session ended') throw fail(401, 'unauthenticated')
    if ('weakness' in changed) throw fail(422, { new_password: tooEasyFor(changed.weakness) })
    if ('refusal' in changed) throw tooFast(changed, fail)
    return { token: sendToken(http, caller.carrier, changed.token, lifetimes) }
  },
})
