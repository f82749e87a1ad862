import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'
import { type Role, roles } from '#identity/roles.ts'

const membership = record({ project_id: integer(), project_name: text(), role: oneOf(roles) })

export default operation({
  path: '/services/identity/v1/users/me',
  summary: 'The caller, their memberships and the project that the call acts in',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'You.',
  output: record({
    user: record({
      id: integer(),
      name: text(),
      email: text(),
      language: nullable(text()),
      superadmin: flag(),
      superadmin_billing: flag(),
      enable_ai: flag(),
      second_factor: flag(),
    }),
    memberships: list(membership),
    current_project: nullable(
      record({ id: integer(), name: text(), role: oneOf([...roles, 'superadmin']), tool_keys: list(text()) }),
    ),
  }),
  failures: [403, 422],
  alongside: {
    sql: `json_build_object(
    'memberships', (select coalesce(json_agg(json_build_object(
        'project_id', mp.id, 'project_name', mp.name, 'role', mm.role) order by mp.name, mp.id), '[]')
      from memberships mm join projects mp on mp.id = mm.project_id
      where mm.user_id = u.id and mp.deleted_at is null),
    'project_name', p.name,
    'tool_keys', (select coalesce(json_agg(tool_key order by tool_key), '[]') from project_tools where project_id = p.id))`,
  },
  async handle({ caller, alongside, fail }) {
    const read = alongside as {
      memberships: { project_id: number; project_name: string; role: Role }[]
      project_name: string
      tool_keys: string[]
    }
    const belongsSomewhere = caller.requestedProject !== undefined || caller.projectId !== null
    const project = belongsSomewhere ? currentProject(caller, fail) : null
    return {
      user: {
        id: caller.id,
        name: caller.name,
        email: caller.email,
        language: caller.language,
        superadmin: caller.superadmin,
        superadmin_billing: caller.superadminBilling,
        enable_ai: caller.enableAi,
        second_factor: caller.hasSecondFactor,
      },
      memberships: read.memberships,
      current_project: project && {
        id: project.id,
        name: read.project_name,
        role: project.role ?? ('superadmin' as const),
        tool_keys: read.tool_keys,
      },
    }
  },
})
