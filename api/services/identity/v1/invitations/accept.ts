import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { integer, record } from '#contract/schema.ts'
import { acceptInvitation } from '#projects/invitation/accepting.ts'
import { invitationToken, linkFailures, uselessFailure } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/accept',
  summary: 'Join a project with the link of an invitation to your address',
  about: 'A member of the project keeps their role.',
  audience: 'signed in',
  input: { token: invitationToken },
  success: 200,
  message: 'You are a member of the project.',
  output: record({ project_id: integer() }),
  failures: {
    ...linkFailures,
    400: { ...linkFailures[400], ...limitReached },
    403: { other_account: 'This invitation is for another email address.' },
  },
  writes: true,
  async handle({ input, caller, db, quotas, log, http, fail }) {
    const origin = originOf({ http, caller, log })
    const wanted = { secret: input.token, userId: caller.id }
    const accepted = await acceptInvitation(db, wanted, origin, quotas).catch(
      onLimit((limit) => fail(400, ...limit)),
    )
    if (accepted === 'other account') throw fail(403, 'other_account')
    if ('useless' in accepted) throw uselessFailure(accepted.useless, fail)
    return { project_id: accepted.projectId }
  },
})
