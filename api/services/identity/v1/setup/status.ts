import { operation } from '#api/operation.ts'
import { flag, record } from '#contract/schema.ts'

export default operation({
  path: '/services/identity/v1/setup/status',
  summary: 'Whether anybody has an account yet, and whether a setup link can be used',
  audience: 'public',
  input: {},
  success: 200,
  message: 'The state of the setup.',
  output: record({ is_set_up: flag(), has_link: flag() }),
  failures: {},
  async handle({ db }) {
    const [status] = await db.sql<{ is_set_up: boolean; has_link: boolean }[]>`
      select is_set_up, not is_set_up and exists (select from setup_links where expires_at > now()) as has_link
      from (select exists (select from users) as is_set_up) present`
    return status as { is_set_up: boolean; has_link: boolean }
  },
})
