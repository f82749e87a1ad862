import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { requireSite, unavailable } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/begin-sign-in',
  summary: 'Get a challenge to sign in or to confirm with a passkey',
  about:
    'Call `navigator.credentials.get` with it, and send what it gives to `passkeys/sign-in` or `passkeys/confirm` within 5 minutes. Each challenge works once.',
  audience: 'public',
  input: {},
  success: 200,
  message: 'Choose a passkey in your browser.',
  output: record({
    challenge: text({ about: 'Bytes in base64url.' }),
    relying_party: text({ about: 'The host name that the passkeys are for: `rpId`.' }),
  }),
  failures: { 400: unavailable },
  async handle({ passkeys, fail }) {
    const site = requireSite(passkeys, fail)
    return { challenge: await passkeys.challenges.issue('sign in'), relying_party: site.id }
  },
})
