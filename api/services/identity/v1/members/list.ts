import { operation } from '#api/operation.ts'
import { integer, list, oneOf, record, text } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { roles } from '#identity/roles.ts'

const member = record({ user_id: integer(), name: text(), role: oneOf(roles) })

export default operation({
  path: '/services/identity/v1/members/list',
  summary: 'The members of the project by name: who can own a card',
  audience: 'read',
  input: {},
  success: 200,
  message: 'The members of the project.',
  output: record({ members: list(member) }),
  failures: [403, 422],
  async handle({ caller, db, fail }) {
    const projectId = currentProject(caller, 'read', fail)
    const members = await db.run<(typeof member)['static']>(
      `select u.id as user_id, u.name, m.role from memberships m join users u on u.id = m.user_id
       where m.project_id = $1 order by lower(u.name), u.id`,
      [projectId],
    )
    return { members }
  },
})
