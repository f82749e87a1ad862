import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { flag, integer, optional, record, secret } from '#contract/schema.ts'
import { disableSecondFactor } from '#identity/changing-second-factor.ts'
import { codeInput, givenCode, wrongCode } from './code.ts'

export default operation({
  path: '/services/identity/v1/second-factor/disable',
  summary: 'Turn off two-factor authentication with the password and a code; the recovery codes stop working',
  about: 'Superadmins need two-factor authentication: until they set it up again, they are ordinary users.',
  audience: 'signed in',
  input: {
    password: secret(),
    ...codeInput,
    end_other_sessions: optional(flag()),
  },
  success: 200,
  message: 'Two-factor authentication is off.',
  output: record({ revoked_count: integer() }),
  failures: {
    400: { second_factor_off: 'Two-factor authentication is not on.' },
    401: usual[401],
    422: { password: incorrect, code: wrongCode },
    429: guessingTooFast,
  },
  changes: true,
  async handle({ input, caller, db, passwords, secrets, log, http, fail }) {
    await requirePassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const wanted = { ...givenCode(input), endsOthers: input.end_other_sessions === true }
    const origin = originOf({ http, caller, log })
    const disabled = await disableSecondFactor(db, secrets, own, wanted, origin)
    if (disabled === 'session ended') throw fail(401, 'unauthenticated')
    if (disabled === 'off') throw fail(400, 'second_factor_off')
    if (disabled === 'wrong code') throw fail(422, { code: 'incorrect' })
    if ('refusal' in disabled) throw tooFast(disabled, fail)
    return { revoked_count: disabled.ended }
  },
})
