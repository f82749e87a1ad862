import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { record, secret, text } from '#contract/schema.ts'
import { changePassword } from '#identity/changing-password.ts'
import { deviceOf, sendToken } from '#identity/cookie.ts'
import { isTooLong, longestPasswordBytes, shortestPassword } from '#identity/passwords.ts'

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
      },
    },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passwords, log, http, fail }) {
    if (isTooLong(input.new_password)) throw fail(422, { new_password: 'too_long' })
    await requirePassword({ db, passwords, caller, http, fail }, input.current_password, () =>
      fail(422, { current_password: 'incorrect' }),
    )
    const hash = await passwords.hash(input.new_password)
    const device = { ...deviceOf(http), carrier: caller.carrier }
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const changed = await changePassword(db, own, hash, device, originOf({ http, caller, log }))
    if (changed === 'session ended') throw fail(401, 'unauthenticated')
    return { token: sendToken(http, caller.carrier, changed.token) }
  },
})
