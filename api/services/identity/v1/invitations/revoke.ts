import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, nothing } from '#contract/schema.ts'
import { revokeInvitation } from '#projects/invitation/revoking.ts'
import { linkFailures } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/revoke',
  summary: 'Revoke an open invitation; its link stops working',
  audience: 'remove members',
  on: 'project',
  input: { id: integer() },
  success: 200,
  message: 'The invitation was revoked.',
  output: nothing,
  failures: { 404: linkFailures[404] },
  writes: true,
  async handle({ input: { id }, projectId, caller, db, log, http, fail }) {
    const revoked = await revokeInvitation(db, { projectId, id }, originOf({ http, caller, log }))
    if (!revoked) throw fail(404, 'invitation_not_found')
    return []
  },
})
