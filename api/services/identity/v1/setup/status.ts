import { operation } from '#api/operation.ts'
import { flag, nullable, oneOf, onlyInV2, record, text } from '#contract/schema.ts'
import { setupStatus } from '#identity/setup.ts'
import { signUpWays } from '#identity/signing-up.ts'
import { mailWays, openWay } from '#mail/outbox.ts'

export default operation({
  path: '/services/identity/v1/setup/status',
  summary:
    'Whether anyone has an account yet, whether a setup link can be used, how email is sent, who can sign up, and which ways to sign in there are',
  audience: 'public',
  input: {},
  success: 200,
  message: 'The state of the setup.',
  output: record({
    is_set_up: flag(),
    has_link: flag(),
    sign_up: onlyInV2(
      oneOf(signUpWays, {
        about:
          'Who can create an account: `off` means no one, `domains` people with an address of certain domains, `open` everyone.',
      }),
    ),
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
  async handle({ db, mailWay, signUp, passkeys, singleSignOn }) {
    return {
      ...(await setupStatus(db)),
      sign_up: signUp.way,
      mail: await openWay(db, mailWay),
      single_sign_on: singleSignOn?.settings.name ?? null,
      passkey_origin: passkeys.site()?.origin ?? null,
    }
  },
})
