import { operation } from '#api/operation.ts'
import { integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import { roles } from '#identity/roles.ts'
import { listMembers } from '#projects/members.ts'

const member = record({
  user_id: integer(),
  name: text(),
  role: oneOf(roles),
  photo_url: nullable(text({ about: 'The path of the photo on this server; null without one.' })),
})

export default operation({
  path: '/services/identity/v1/members/list',
  summary: 'The members of the project, by name; cards can be assigned to them',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The members of the project.',
  output: record({ members: list(member) }),
  failures: {},
  async handle({ projectId, db }) {
    return { members: await listMembers(db, projectId) }
  },
})
