import { guessingTooFast, tooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { list, record, text } from '#contract/schema.ts'
import { confirmSecondFactor } from '#identity/changing-second-factor.ts'
import { wrongCode } from './code.ts'

export default operation({
  path: '/services/identity/v1/second-factor/confirm',
  summary:
    'Turn on two-factor authentication with a code of the new secret; returns ten recovery codes, shown only once',
  audience: 'signed in',
  input: { code: text({ max: 20, about: 'The 6-digit code that the authenticator app shows now.' }) },
  success: 200,
  message: 'Two-factor authentication is on. Keep the recovery codes in a safe place.',
  output: record({ recovery_codes: list(text()) }),
  failures: {
    400: {
      second_factor_not_begun: 'There is no secret to confirm. Call begin first.',
      second_factor_setup_expired: 'This setup has expired after 15 minutes. Begin again.',
    },
    401: usual[401],
    422: { code: wrongCode },
    429: guessingTooFast,
  },
  changes: true,
  async handle({ input, caller, db, secrets, log, http, fail }) {
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const codes = await confirmSecondFactor(db, secrets, own, input.code, originOf({ http, caller, log }))
    if (codes === 'session ended') throw fail(401, 'unauthenticated')
    if (codes === 'not begun') throw fail(400, 'second_factor_not_begun')
    if (codes === 'expired') throw fail(400, 'second_factor_setup_expired')
    if (codes === 'wrong code') throw fail(422, { code: 'incorrect' })
    if ('refusal' in codes) throw tooFast(codes, fail)
    return { recovery_codes: codes }
  },
})
