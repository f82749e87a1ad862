import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { list, record, secret, text } from '#contract/schema.ts'
import { regenerateRecoveryCodes } from '#identity/changing-second-factor.ts'

export default operation({
  path: '/services/identity/v1/second-factor/regenerate-codes',
  summary: 'Create ten new recovery codes, shown only once; the old ones stop working',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'Keep the recovery codes in a safe place.',
  output: record({ recovery_codes: list(text()) }),
  failures: {
    400: { second_factor_off: 'Two-factor authentication is not on.' },
    401: usual[401],
    422: { password: incorrect },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passwords, log, http, fail }) {
    await requirePassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const codes = await regenerateRecoveryCodes(db, own, originOf({ http, caller, log }))
    if (codes === 'session ended') throw fail(401, 'unauthenticated')
    if (codes === 'off') throw fail(400, 'second_factor_off')
    return { recovery_codes: codes }
  },
})
