import { operation } from '#api/operation.ts'
import { flag, nullable, oneOf, onlyInV2, record, text } from '#contract/schema.ts'
import { setupStatus } from '#identity/setup.ts'
import { mailWays, openWay } from '#mail/outbox.ts'

export default operation({
  path: '/services/identity/v1/setup/status',
  summary:
    'Whether anyone has an account yet, whether a setup link can be used, how email is sent, and which ways to sign in there are',
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
    single_sign_on: onlyInV2(
      nullable(text({ about: 'What the installation calls its identity provider; null if it has none.' })),
    ),
    passkey_origin: onlyInV2(
      nullable(
        text({
          about:
            'The address at which passkeys work; null if the installation has none with https and a host name.',
        }),
      ),
    ),
  }),
  failures: {},
  async handle({ db, mailWay, passkeys, singleSignOn }) {
    return {
      ...(await setupStatus(db)),
      mail: await openWay(db, mailWay),
      single_sign_on: singleSignOn?.settings.name ?? null,
      passkey_origin: passkeys.site()?.origin ?? null,
    }
  },
})
