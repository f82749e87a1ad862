import { operation } from '#api/operation.ts'
import { nothing } from '#contract/schema.ts'
import { checkSetupLink } from '#identity/setup.ts'
import { setupFailures, setupToken, unusable } from './setup-link.ts'

export default operation({
  path: '/services/identity/v1/setup/check',
  summary: 'Whether a setup link can still be used',
  audience: 'public',
  input: { token: setupToken },
  success: 200,
  message: 'The link can be used.',
  output: nothing,
  failures: setupFailures,
  async handle({ input, db, fail }) {
    const link = await checkSetupLink(db, input.token)
    if (link !== 'usable') throw unusable(link, fail)
    return []
  },
})
