import { incorrect, requirePassword } from '#api/confirm-password.ts'
import { guessingTooFast } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { nothing, secret } from '#contract/schema.ts'

export default operation({
  path: '/services/identity/v1/password/confirm',
  summary: 'Enter the password again in this session, for operations that ask for it after 15 minutes',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'The password is confirmed.',
  output: nothing,
  failures: { 422: { password: incorrect }, 429: guessingTooFast },
  changes: true,
  async handle({ input, caller, db, passwords, http, fail }) {
    await requirePassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    return []
  },
})
