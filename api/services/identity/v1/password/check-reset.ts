import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { findReset } from '#identity/resetting-password.ts'
import { resetFailures, resetToken } from './reset-link.ts'

export default operation({
  path: '/services/identity/v1/password/check-reset',
  summary: 'Whether a link to reset a password can still be used, and whose account it is for',
  audience: 'public',
  input: { token: resetToken },
  success: 200,
  message: 'The link can be used.',
  output: record({ email: text(), name: text() }),
  failures: resetFailures,
  async handle({ input, db, fail }) {
    const user = await findReset(db, input.token)
    if (!user) throw fail(404, 'reset_link_not_found')
    return { email: user.email, name: user.name }
  },
})
