import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { nothing, text } from '#contract/schema.ts'
import { unlinkSignOn } from '#identity/linking-sign-on.ts'

export default operation({
  path: '/services/identity/v1/single-sign-on/unlink',
  summary: 'Unlink your account from an identity provider',
  about:
    'Afterwards it no longer signs in to this account; sessions stay. The owner is notified by email. Possible within 15 minutes after the person signed in or confirmed it with `password/confirm` or `passkeys/confirm`.',
  audience: 'signed in',
  input: { issuer: text({ max: 1024, about: 'As `single-sign-on/list` names it.' }) },
  success: 200,
  message: 'Your account is no longer linked with single sign-on.',
  output: nothing,
  failures: {
    400: {
      only_way_in: 'Set a password or add a passkey first. Otherwise you could no longer sign in.',
    },
    401: usual[401],
    403: unconfirmed,
    404: { provider_not_linked: 'Your account is not linked with this identity provider.' },
  },
  changes: true,
  async handle({ input, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const outcome = await unlinkSignOn(db, own, input.issuer, originOf({ http, caller, log }))
    if (outcome === 'session ended') throw fail(401, 'unauthenticated')
    if (outcome === 'not linked') throw fail(404, 'provider_not_linked')
    if (outcome === 'only way in') throw fail(400, 'only_way_in')
    return []
  },
})
