import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { list, record, secret, text } from '#contract/schema.ts'
import { regenerateRecoveryCodes } from '#identity/changing-second-factor.ts'
import { codeInput, givenCode, wrongCode } from './code.ts'

export default operation({
  path: '/services/identity/v1/second-factor/regenerate-codes',
  summary:
    'Create ten new recovery codes with the password and a code, shown only once; the old ones stop working',
  audience: 'signed in',
  input: { password: secret(), ...codeInput },
  success: 200,
  message: 'Keep the recovery codes in a safe place.',
  output: record({ recovery_codes: list(text()) }),
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
    const origin = originOf({ http, caller, log })
    const codes = await regenerateRecoveryCodes(db, secrets, own, givenCode(input), origin)
    if (codes === 'session ended') throw fail(401, 'unauthenticated')
    if (codes === 'off') throw fail(400, 'second_factor_off')
    if (codes === 'wrong code') throw fail(422, { code: 'incorrect' })
    if ('refusal' in codes) throw tooFast(codes, fail)
    return { recovery_codes: codes }
  },
})
