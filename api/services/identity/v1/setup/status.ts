import { operation } from '#api/operation.ts'
import { flag, oneOf, onlyInV2, record } from '#contract/schema.ts'
import { setupStatus } from '#identity/setup.ts'
import { mailWays, openWay } from '#mail/outbox.ts'

export default operation({
  path: '/services/identity/v1/setup/status',
  summary: 'Whether anyone has an account yet, whether a setup link can be used, and how email is sent',
  audience: 'public',
  input: {},
  success: 200,
  message: 'The state of the setup.',
  output: record({
    is_set_up: flag(),
    has_link: flag(),
    mail: onlyInV2(
      oneOf(mailWays, {
        about: 'How email is sent; `outbox`: a demo shows at `/outbox` what it would send.',
      }),
    ),
  }),
  failures: {},
  async handle({ db, mailWay }) {
    return { ...(await setupStatus(db)), mail: await openWay(db, mailWay) }
  },
})
