import { operation } from '#api/operation.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { currentProject, projectFailures } from '#identity/caller.ts'
import { type Role, roles } from '#identity/roles.ts'
import { type WrongCodes, wrongCodesColumn } from '#identity/wrong-codes.ts'

/** projects/list has all projects of a user who belongs to more. */
const mostMemberships = 200

const membership = record({ project_id: integer(), project_name: text(), role: oneOf(roles) })

export default operation({
  path: '/services/identity/v1/users/me',
  summary: 'The caller, their memberships (200 at most) and the project that the call acts in',
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
      /** Null without two-factor authentication. */
      recovery_codes_left: nullable(integer()),
      /** Sent after a correct password, from addresses other than the person's own, and not dismissed yet. */
      wrong_codes: nullable(record({ count: integer(), last_at: timestamp(), last_address: text() })),
    }),
    memberships: list(membership),
    current_project: nullable(
      record({ id: integer(), name: text(), role: oneOf([...roles, 'superadmin']), tool_keys: list(text()) }),
    ),
  }),
  failures: projectFailures,
  alongside: {
    columns: `u.name, u.email, u.language, u.enable_ai, u.totp_secret is not null as second_factor,
      case when u.totp_secret is not null then (
        select count(*) from recovery_codes r where r.user_id = u.id and r.used_at is null) end as recovery_codes_left,
      p.name as project_name, p.tool_keys, ${wrongCodesColumn},
      (select json_agg(membership) from (
        select mp.id as project_id, mp.name as project_name, mm.role
        from memberships mm join projects mp on mp.id = mm.project_id
        where mm.user_id = u.id and mp.deleted_at is null limit ${mostMemberships}) membership) as memberships`,
  },
  async handle({ caller, alongside, fail }) {
    const read = alongside as Read
    const belongsSomewhere = caller.requestedProject !== undefined || caller.projectId !== null
    const currentId = belongsSomewhere ? currentProject(caller, 'read', fail) : null
    const current = {
      name: read.project_name,
      role: caller.projectRole ?? ('superadmin' as const),
      tool_keys: read.tool_keys,
    }
    return {
      user: {
        id: caller.id,
        name: read.name,
        email: read.email,
        language: read.language,
        superadmin: caller.superadmin,
        superadmin_billing: caller.superadminBilling,
        enable_ai: read.enable_ai,
        second_factor: read.second_factor,
        recovery_codes_left: read.recovery_codes_left,
        wrong_codes: read.wrong_codes,
      },
      memberships: (read.memberships ?? []).sort(byName),
      current_project: currentId === null ? null : { id: currentId, ...current },
    }
  },
})

interface Read {
  name: string
  email: string
  language: string | null
  enable_ai: boolean
  second_factor: boolean
  recovery_codes_left: number | null
  wrong_codes: WrongCodes | null
  project_name: string
  tool_keys: string[]
  memberships: Membership[] | null
}

interface Membership {
  project_id: number
  project_name: string
  role: Role
}

const names = new Intl.Collator('en')

/** Sorted here: an ordered aggregate costs PostgreSQL a third of the whole statement. */
const byName = (a: Membership, b: Membership) =>
  names.compare(a.project_name, b.project_name) || a.project_id - b.project_id
