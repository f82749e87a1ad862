import { operation } from '#api/operation.ts'
import { nothing, text } from '#contract/schema.ts'
import { checkSetupLink, setupFailures } from '#identity/setup.ts'

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
    await checkSetupLink(db, input.token, fail)
    return []
  },
})
