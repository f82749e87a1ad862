import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { integer, nothing } from '#contract/schema.ts'
import { removePasskey } from '#identity/passkeys.ts'
import { noPasskey } from './passkey.ts'

export default operation({
  path: '/services/identity/v1/passkeys/remove',
  summary: 'Remove a passkey of the caller; it no longer signs in',
  about:
    'Sessions that it opened stay. The owner is notified by email. Possible within 15 minutes after the person signed in or confirmed it with `password/confirm` or `passkeys/confirm`.',
  audience: 'signed in',
  input: { id: integer({ about: 'The id of the passkey.' }) },
  success: 200,
  message: 'The passkey was removed.',
  output: nothing,
  failures: { 401: usual[401], 403: unconfirmed, 404: noPasskey },
  changes: true,
  async handle({ input, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const removed = await removePasskey(db, own, input.id, originOf({ http, caller, log }))
    if (removed === 'session ended') throw fail(401, 'unauthenticated')
    if (removed === 'no passkey') throw fail(404, 'passkey_not_found')
    return []
  },
})
