import { Secret, TOTP } from 'otpauth'
import { confirmPassword, incorrect } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { record, secret, text } from '#contract/schema.ts'
import { guessingTooFast } from '#identity/attempts.ts'

export default operation({
  path: '/services/identity/v1/second-factor/begin',
  summary: 'Get a secret for an authenticator app; the second factor is on once a code of it is confirmed',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'Enter the secret into your authenticator app, then confirm a code.',
  output: record({ secret: text(), uri: text() }),
  failures: {
    400: { second_factor_on: 'The second factor is on already.' },
    422: { password: incorrect },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passwords, http, fail }) {
    const user = await confirmPassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    if (user.totp_secret !== null) throw fail(400, 'second_factor_on')
    const totp = new TOTP({ issuer: 'Cardinal', label: user.email, secret: new Secret({ size: 20 }) })
    await db.sql`update users set totp_pending_secret = ${totp.secret.base32} where id = ${caller.id}`
    return { secret: totp.secret.base32, uri: totp.toString() }
  },
})
