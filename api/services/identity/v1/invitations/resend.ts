import { noMail } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { canMail } from '#mail/outbox.ts'
import { resendInvitation } from '#projects/invitation/inviting.ts'
import { mostMails } from '#projects/invitation/limits.ts'
import { roleTooHigh } from '../members/acting.ts'
import { invitation, invitingOf, linkFailures, tooManyFailure, tooManyFailures } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/resend',
  summary: 'Send an invitation again, with a new link; the one before stops working',
  audience: 'manage members',
  on: 'project',
  input: { id: integer() },
  success: 200,
  message: 'The invitation was sent again.',
  output: record({ invitation }),
  failures: {
    400: {
      ...noMail,
      ...tooManyFailures[400],
      sent_too_often: `An invitation can be sent ${mostMails} times. Revoke it and invite the person again.`,
    },
    403: roleTooHigh,
    404: linkFailures[404],
    429: { ...tooManyFailures[429], sent_just_now: 'This invitation was sent less than a minute ago.' },
  },
  writes: true,
  async handle({ input: { id }, projectId, caller, db, secrets, mailWay, log, http, fail }) {
    if (!(await canMail(db, mailWay))) throw fail(400, 'mail_not_set_up')
    const sent = await resendInvitation(db, invitingOf({ projectId, caller, secrets, http, log }), id)
    if (sent === 'no invitation') throw fail(404, 'invitation_not_found')
    if (sent === 'role too high') throw fail(403, 'role_too_high')
    if (sent === 'sent too often') throw fail(400, 'sent_too_often')
    if ('tooMany' in sent) throw tooManyFailure(sent, fail)
    if ('waitSeconds' in sent) throw fail(429, 'sent_just_now', sent.waitSeconds)
    return { invitation: sent }
  },
})
