import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { beginAdding } from '#identity/passkeys.ts'
import { algorithms } from '#identity/verifying-passkey.ts'
import { requireSite, unavailable } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/begin-adding',
  summary: 'Get a challenge for a new passkey',
  about:
    'Call `navigator.credentials.create` with it, and send what it gives to `passkeys/add` within 5 minutes, in the same session. Possible within 15 minutes after the person signed in or confirmed it with `password/confirm` or `passkeys/confirm`.',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Create the passkey in your browser, then add it.',
  output: record({
    challenge: text({ about: 'Bytes in base64url, like the other values that browsers want as bytes.' }),
    relying_party: text({ about: 'The host name that the passkey is for: `rp.id`.' }),
    user_handle: text({ about: 'Names the account to the authenticator: `user.id`.' }),
    user_name: text(),
    user_display_name: text(),
    algorithms: list(integer(), {
      about: 'As COSE numbers, in the order of preference: `pubKeyCredParams`.',
    }),
    present_credentials: list(text(), { about: 'The passkeys that the account has: `excludeCredentials`.' }),
  }),
  failures: { 400: unavailable, 403: unconfirmed },
  async handle({ caller, db, passkeys, fail }) {
    const site = requireSite(passkeys, fail)
    await requireRecentPassword({ db, caller, fail })
    const begun = await beginAdding(db, passkeys, { userId: caller.id, sessionId: caller.sessionId })
    return {
      challenge: begun.challenge,
      relying_party: site.id,
      user_handle: begun.handle,
      user_name: begun.email,
      user_display_name: begun.name,
      algorithms,
      present_credentials: begun.present,
    }
  },
})
