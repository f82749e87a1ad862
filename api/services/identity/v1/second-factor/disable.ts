import { confirmPassword, incorrect } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { nothing, secret } from '#contract/schema.ts'
import { guessingTooFast } from '#identity/attempts.ts'

export default operation({
  path: '/services/identity/v1/second-factor/disable',
  summary: 'Turn the second factor off; its recovery codes end with it',
  audience: 'signed in',
  input: { password: secret() },
  success: 200,
  message: 'The second factor is off.',
  output: nothing,
  failures: {
    400: { second_factor_off: 'The second factor is not on.' },
    422: { password: incorrect },
    429: guessingTooFast,
  },
  async handle({ input, caller, db, passwords, http, fail }) {
    const user = await confirmPassword({ db, passwords, caller, http, fail }, input.password, () =>
      fail(422, { password: 'incorrect' }),
    )
    if (user.totp_secret === null) throw fail(400, 'second_factor_off')
    await db.transaction(async ({ sql }) => {
      await sql`update users set totp_secret = null, totp_pending_secret = null, updated_at = now() where id = ${caller.id}`
      await sql`delete from recovery_codes where user_id = ${caller.id}`
    })
    return []
  },
})
