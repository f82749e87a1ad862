import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { beginAdding } from '#identity/passkeys.ts'
import { creation, creationOf, requireSite, unavailable } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/begin-adding',
  summary: 'Get a challenge for a new passkey',
  about:
    'Call `navigator.credentials.create` with it, and send what it gives to `passkeys/add` within 5 minutes, in the same session. Possible within 15 minutes after the person signed in or confirmed it with `password/confirm` or `passkeys/confirm`.',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'Create the passkey in your browser, then add it.',
  output: creation,
  failures: { 400: unavailable, 403: unconfirmed },
  changes: true,
  async handle({ caller, db, passkeys, fail }) {
    const site = requireSite(passkeys, fail)
    await requireRecentPassword({ db, caller, fail })
    const begun = await beginAdding(db, passkeys, { userId: caller.id, sessionId: caller.sessionId })
    return creationOf(site, begun)
  },
})
