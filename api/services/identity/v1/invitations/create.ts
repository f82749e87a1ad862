import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { noMail } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { list, newEmail, oneOf, record, text } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { canMail } from '#mail/outbox.ts'
import { invite, skippedReasons } from '#projects/invitation/inviting.ts'
import { roleTooHigh } from '../members/acting.ts'
import { invitation, invitingOf, tooManyFailure, tooManyFailures } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/create',
  summary: 'Invite people to the project by email, up to 20 at once',
  about:
    'Each address gets a link that works once, within 7 days, and only for an account with that address. The answer does not tell whether there is one. You cannot invite to a role above your own. Inviting an owner is possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'manage members',
  on: 'project',
  input: { emails: list(newEmail(), { max: 20 }), role: oneOf(roles) },
  success: 201,
  message: 'The invitations were sent.',
  output: record({
    invitations: list(invitation),
    skipped: list(record({ email: text(), reason: oneOf(skippedReasons) }), {
      about: 'Who is not invited: a member of the project, or someone with an open invitation.',
    }),
  }),
  failures: {
    400: { ...noMail, ...tooManyFailures[400] },
    403: { ...unconfirmed, ...roleTooHigh },
    429: tooManyFailures[429],
  },
  writes: true,
  async handle({ input: { emails, role }, projectId, caller, db, secrets, mailWay, log, http, fail }) {
    if (role === 'owner') await requireRecentPassword({ db, caller, fail })
    if (!(await canMail(db, mailWay))) throw fail(400, 'mail_not_set_up')
    const outcome = await invite(db, invitingOf({ projectId, caller, secrets, http, log }), { emails, role })
    if (outcome === 'role too high') throw fail(403, 'role_too_high')
    if ('tooMany' in outcome) throw tooManyFailure(outcome, fail)
    return outcome
  },
})
