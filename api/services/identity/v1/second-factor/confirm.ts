import { operation } from '#api/operation.ts'
import { list, record, text } from '#contract/schema.ts'
import { renewRecoveryCodes, totpStep } from '#identity/second-factor.ts'

export default operation({
  path: '/services/identity/v1/second-factor/confirm',
  summary:
    'Turn the second factor on with a code of the new secret; answers ten recovery codes, shown this once',
  audience: 'signed in',
  input: { code: text({ max: 20 }) },
  success: 200,
  message: 'The second factor is on. Keep the recovery codes in a safe place.',
  output: record({ recovery_codes: list(text()) }),
  failures: {
    400: { second_factor_not_begun: 'There is no secret to confirm; begin first.' },
    422: { code: { incorrect: 'The code is not valid.' } },
  },
  async handle({ input, caller, db, fail }) {
    return db.transaction(async (queries) => {
      const { sql } = queries
      const [user] = await sql<{ totp_pending_secret: string | null }[]>`
        select totp_pending_secret from users where id = ${caller.id} for no key update`
      const pending = user?.totp_pending_secret
      if (!pending) throw fail(400, 'second_factor_not_begun')
      const step = totpStep(pending, input.code)
      if (step === null) throw fail(422, { code: 'incorrect' })
      await sql`
        update users set totp_secret = ${pending}, totp_pending_secret = null, totp_last_step = ${step}, updated_at = now()
        where id = ${caller.id}`
      // This session has passed the second factor by confirming the code; the others have not, so they end.
      await sql`delete from sessions where user_id = ${caller.id} and id <> ${caller.sessionId}`
      await sql`update sessions set second_factor = true where id = ${caller.sessionId}`
      return { recovery_codes: await renewRecoveryCodes(queries, caller.id) }
    })
  },
})
