import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { nothing, text } from '#contract/schema.ts'
import { linkSignOn } from '#identity/linking-sign-on.ts'

export default operation({
  path: '/services/identity/v1/single-sign-on/link',
  summary: 'Link your account with the person at the identity provider who has the same address',
  about:
    'Afterwards single sign-on signs in to this account. The owner is notified by email. Possible within 15 minutes after the person signed in or confirmed it with `password/confirm` or `passkeys/confirm`.',
  audience: 'signed in',
  input: {
    token: text({
      max: 255,
      about: 'The `link_token` of `single-sign-on/complete`; it works once, for 15 minutes.',
    }),
  },
  success: 200,
  message: 'Your account is linked with single sign-on.',
  output: nothing,
  failures: {
    401: usual[401],
    403: {
      ...unconfirmed,
      other_account: 'The identity provider has confirmed another email address than yours.',
    },
    404: { sign_on_link_not_found: 'This link has expired or was used. Start single sign-on again.' },
  },
  changes: true,
  async handle({ input, caller, db, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const linked = await linkSignOn(db, own, input.token, originOf({ http, caller, log }))
    if (linked === 'session ended') throw fail(401, 'unauthenticated')
    if (linked === 'other account') throw fail(403, 'other_account')
    if (linked === 'no link') throw fail(404, 'sign_on_link_not_found')
    return []
  },
})
