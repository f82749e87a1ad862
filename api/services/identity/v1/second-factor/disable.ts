import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { nothing, secret } from '#contract/schema.ts'
import { disableSecondFactor } from '#identity/changing-second-factor.ts'

export default operation({
  path: '/services/identity/v1/second-factor/disable',
  summary: 'Turn off two-factor authentication; the recovery codes stop working',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'Two-factor authentication is off.',
  output: nothing,
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
    const disabled = await disableSecondFactor(db, own, originOf({ http, caller, log }))
    if (disabled === 'session ended') throw fail(401, 'unauthenticated')
    if (disabled === 'off already') throw fail(400, 'second_factor_off')
    return []
  },
})
