import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { listMembersInDetail } from '#projects/member/listing.ts'

const member = record({
  user_id: integer(),
  name: text(),
  email: text(),
  role: oneOf(roles),
  second_factor: flag({ about: 'Whether they use two-factor authentication, or a passkey and no password.' }),
  enable_ai: flag(),
  is_disabled: flag({ about: 'True for an account that the operator has disabled: it cannot sign in.' }),
  joined_at: timestamp(),
  last_seen_at: nullable(
    timestamp({ about: 'When they last used their account, in steps of some minutes; null if not yet.' }),
  ),
})

export default operation({
  path: '/services/identity/v1/members/list-details',
  summary: 'The members of the project with their addresses, for those who manage them; by name',
  audience: 'manage members',
  on: 'project',
  input: {},
  success: 200,
  message: 'The members of the project.',
  output: record({ members: list(member) }),
  failures: {},
  async handle({ projectId, db }) {
    return { members: await listMembersInDetail(db, projectId) }
  },
})
