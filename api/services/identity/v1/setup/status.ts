import { operation } from '#api/operation.ts'
import { flag, record } from '#contract/schema.ts'
import { setupStatus } from '#identity/setup.ts'

export default operation({
  path: '/services/identity/v1/setup/status',
  summary: 'Whether anyone has an account yet, and whether a setup link can be used',
  audience: 'public',
  input: {},
  success: 200,
  message: 'The state of the setup.',
  output: record({ is_set_up: flag(), has_link: flag() }),
  failures: {},
  handle: ({ db }) => setupStatus(db),
})
