import { operation } from '#api/operation.ts'
import { nothing, text } from '#contract/schema.ts'
import { requireSetupLink, setupFailures } from './setup-link.ts'

export default operation({
  path: '/services/identity/v1/setup/check',
  summary: 'Whether a setup link can still be used',
  audience: 'public',
  input: { token: text() },
  success: 200,
  message: 'The link can be used.',
  output: nothing,
  failures: setupFailures,
  async handle({ input, db, fail }) {
    await requireSetupLink(db, input.token, fail)
    return []
  },
})
