import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { noMail } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { usual } from '#contract/failure.ts'
import { newEmail, nothing } from '#contract/schema.ts'
import { mostRequests, requestAddress } from '#identity/changing-address.ts'
import { canMail } from '#mail/outbox.ts'

export default operation({
  path: '/services/identity/v1/users/change-email',
  summary: 'Change the email address of your account, after you confirm the new one',
  about:
    'The new address gets a link that works once, within 24 hours; until then the account keeps its address. The old address is notified. The answer is the same whether or not the new address has an account. Possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'signed in',
  input: { email: newEmail() },
  success: 200,
  message: 'A link to confirm the new address is on its way to it.',
  output: nothing,
  failures: {
    400: noMail,
    401: usual[401],
    403: unconfirmed,
    422: { email: { unchanged: 'This is already the address of your account.' } },
    429: {
      sent_just_now: 'A link was sent less than a minute ago.',
      too_many_changes: `An account can ask for a new address ${mostRequests} times in 24 hours. Try again later.`,
    },
  },
  changes: true,
  async handle({ input, caller, db, secrets, mailWay, log, http, fail }) {
    await requireRecentPassword({ db, caller, fail })
    if (!(await canMail(db, mailWay))) throw fail(400, 'mail_not_set_up')
    const own = { userId: caller.id, sessionId: caller.sessionId }
    const origin = originOf({ http, caller, log })
    const requested = await requestAddress(db, secrets, own, input.email, origin)
    if (requested === 'session ended') throw fail(401, 'unauthenticated')
    if (requested === 'same address') throw fail(422, { email: 'unchanged' })
    if (requested !== 'requested') throw fail(429, requested.refusal, requested.waitSeconds)
    return []
  },
})
