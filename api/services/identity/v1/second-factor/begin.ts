import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { usual } from '#contract/failure.ts'
import { record, secret, text } from '#contract/schema.ts'
import { beginSecondFactor } from '#identity/changing-second-factor.ts'

export default operation({
  path: '/services/identity/v1/second-factor/begin',
  summary: 'Get a secret for an authenticator app; two-factor authentication is on once a code is confirmed',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'Enter the secret in your authenticator app, then confirm a code.',
  output: record({ secret: text(), uri: text() }),
  failures: {
    400: { second_factor_on: 'Two-factor authentication is already on.' },
    401: usual[401],
    422: { password: incorrect },
    429: guessingTooFast,
  },
  changes: true,
  async handle({ input, caller, db, passwords, secrets, http, fail }) {
    await requirePassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    const begun = await beginSecondFactor(db, secrets, { userId: caller.id, sessionId: caller.sessionId })
    if (begun === 'session ended') throw fail(401, 'unauthenticated')
    if (begun === 'on already') throw fail(400, 'second_factor_on')
    return begun
  },
})
