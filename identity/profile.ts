// What a person is told about themselves. It is read in the statement that finds the caller, so it costs no round trip of its own.
import { byKeyAlone } from '#database/by-keys.ts'
import type { Caller } from './caller.ts'
import { photoColumn } from './photos.ts'
import type { Role } from './roles.ts'
import { type Visit, visitColumn } from './support-visits.ts'
import { type WrongCodes, wrongCodesColumn } from './wrong-codes.ts'

/** projects/list has all projects of a user who belongs to more. */
const mostMemberships = 200

/** `u` is the user, `p` the project of the request, `s` the session. */
export const profileColumns = `u.name, u.email, u.time_zone, ${photoColumn}, u.enable_ai, u.totp_secret is not null as second_factor, u.password_hash is not null as has_password,
  case when u.totp_secret is not null then (
    select count(*) from recovery_codes r where r.user_id = u.id and r.used_at is null) end as recovery_codes_left,
  p.name as project_name, p.tool_keys, p.website_url, p.language as project_language, p.time_zone as project_time_zone, wire_time(p.archived_at) as project_archived_at, ${wrongCodesColumn},
  ${visitColumn},
  (select json_agg(membership) from (
    select mp.id as project_id, mp.name as project_name, mm.role
    from memberships mm join lateral (select * from projects where id = mm.project_id ${byKeyAlone}) mp on mp.deleted_at is null
    where mm.user_id = u.id limit ${mostMemberships}) membership) as memberships`

export interface ProfileRow {
  name: string
  email: string
  time_zone: string | null
  photo_url: string | null
  enable_ai: boolean
  second_factor: boolean
  has_password: boolean
  recovery_codes_left: number | null
  wrong_codes: WrongCodes | null
  project_name: string
  tool_keys: string[]
  website_url: string | null
  project_language: string | null
  project_time_zone: string | null
  project_archived_at: string | null
  memberships: Membership[] | null
  support_visit: Visit | null
}

interface Membership {
  project_id: number
  project_name: string
  role: Role
}

/** The user, their memberships by name, and the project with this id, which is the one of the request. */
export function profileOf(caller: Caller, row: ProfileRow, currentId: number | null) {
  const role = caller.projectRole ?? ('superadmin' as const)
  const rights = caller.pendingRights ?? caller
  return {
    user: {
      id: caller.id,
      name: row.name,
      email: row.email,
      language: caller.language,
      time_zone: row.time_zone,
      photo_url: row.photo_url,
      superadmin: rights.superadmin,
      superadmin_billing: rights.superadminBilling,
      superadmin_platform_id: rights.superadminPlatformId,
      enable_ai: row.enable_ai,
      second_factor: row.second_factor,
      has_password: row.has_password,
      second_factor_needed: caller.pendingRights !== null,
      recovery_codes_left: row.recovery_codes_left,
      wrong_codes: row.wrong_codes,
    },
    memberships: (row.memberships ?? []).sort(byName),
    current_project:
      currentId === null
        ? null
        : {
            ...{ id: currentId, name: row.project_name, role, tool_keys: row.tool_keys },
            platform_id: caller.projectPlatformId as number,
            website_url: row.website_url,
            language: row.project_language,
            time_zone: row.project_time_zone,
            archived_at: row.project_archived_at,
            support_visit: caller.projectRole === null ? row.support_visit : null,
          },
  }
}

const names = new Intl.Collator('en')

/** Sorted here: an ordered aggregate costs PostgreSQL a third of the whole statement. */
const byName = (a: Membership, b: Membership) =>
  names.compare(a.project_name, b.project_name) || a.project_id - b.project_id
