import { operation } from '#api/operation.ts'
import { list, record } from '#contract/schema.ts'
import { listInvitations } from '#projects/invitation/inviting.ts'
import { invitation } from './invitation.ts'

export default operation({
  path: '/services/identity/v1/invitations/list',
  summary: 'The open invitations of the project, newest first',
  audience: 'manage members',
  on: 'project',
  input: {},
  success: 200,
  message: 'The open invitations.',
  output: record({ invitations: list(invitation) }),
  failures: {},
  async handle({ projectId, db }) {
    return { invitations: await listInvitations(db, projectId) }
  },
})
