// Creates and changes accounts, for the setup page, the command line, the demo data and the tests.
import { type Origin, recordEntry } from '#audit/record.ts'
import type { Database, Queries } from '#database/connect.ts'
import type { Language } from '#languages/known.ts'
import { end } from './sessions.ts'
import { isTimeZone, isUnknownTimeZone, requireTimeZone } from './time-zone.ts'
import { sha256 } from './tokens.ts'
import { forgetWrongCodes } from './wrong-codes.ts'

export interface NewUser {
  email: string
  name: string
  /** Null for somebody who signs in by the identity provider. */
  passwordHash: string | null
  superadmin?: boolean
  superadminBilling?: boolean
  /** By default all platforms. */
  superadminPlatformId?: number | null
  enableAi?: boolean
  language?: Language | null
  /** Of a new member: that of their project. */
  timeZone?: string | null
  totpSecret?: string
  isDemo?: boolean
}

export async function hasUsers({ sql }: Queries): Promise<boolean> {
  return (await sql`select from users limit 1`).length > 0
}

/** Returns the id of the new user. */
export async function addUser({ sql }: Queries, user: NewUser): Promise<number | 'email taken'> {
  const [added] = await sql<{ id: number }[]>`
    insert into users (email, name, password_hash, superadmin, superadmin_billing, superadmin_platform_id, enable_ai, language,
      time_zone, totp_secret, is_demo)
    values (${user.email}, ${user.name}, ${user.passwordHash}, ${user.superadmin ?? false},
      ${user.superadminBilling ?? false}, ${user.superadminPlatformId ?? null}, ${user.enableAi ?? false}, ${user.language ?? null},
      ${user.timeZone ?? null}, ${user.totpSecret ?? null}, ${user.isDemo ?? false})
    on conflict (lower(email)) do nothing returning id`
  return added?.id ?? 'email taken'
}

/**
 * Also ends every session of the user, and makes links useless that would reset the password or change the address: somebody else who knew
 * the password may have asked for them.
 */
export async function setPassword(queries: Queries, userId: number, passwordHash: string): Promise<void> {
  await queries.sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${userId}`
  await forgetResets(queries, userId)
  await queries.sql`delete from email_changes where user_id = ${userId}`
  await forgetWrongCodes(queries, userId)
  await end(queries, { userId }, 'password_changed')
}

/** The rows stay, because they count for the limit of an hour. */
export async function forgetResets({ sql }: Queries, userId: number): Promise<void> {
  await sql`update password_resets set expires_at = now() where user_id = ${userId} and expires_at > now()`
}

/** Also ends every session of the user. */
export async function disableUser(queries: Queries, userId: number): Promise<void> {
  await queries.sql`
    update users set disabled_at = now(), updated_at = now() where id = ${userId} and disabled_at is null`
  await end(queries, { userId }, 'account_disabled')
}

export async function enableUser({ sql }: Queries, userId: number): Promise<void> {
  await sql`update users set disabled_at = null, updated_at = now() where id = ${userId}`
}

/** Makes a user a superadmin of a platform, or of all if it is null. */
export async function setSuperadmin(
  { sql }: Queries,
  userId: number,
  { platformId, billing }: { platformId: number | null; billing: boolean },
): Promise<void> {
  await sql`
    update users set superadmin = true, superadmin_billing = ${billing}, superadmin_platform_id = ${platformId}, updated_at = now()
    where id = ${userId}`
}

/**
 * Makes a superadmin an ordinary user; with a platform, only a superadmin of it. Someone stays superadmin of all platforms, because
 * nobody else could appoint one.
 */
export function demote(
  db: Database,
  userId: number,
  { platformId }: { platformId: number | null },
  origin: Origin,
): Promise<'demoted' | 'no superadmin' | 'last superadmin'> {
  return db.transaction(async (queries) => {
    const { sql } = queries
    // All are locked in one order, so that two cannot demote each other at once.
    const superadmins = await sql<{ id: number; superadmin_platform_id: number | null }[]>`
      select id, superadmin_platform_id from users where superadmin and disabled_at is null or id = ${userId} and superadmin
      order by id for no key update`
    const wanted = superadmins.find(({ id }) => id === userId)
    if (!wanted || (platformId !== null && wanted.superadmin_platform_id !== platformId))
      return 'no superadmin'
    const ofAll = superadmins.filter(({ superadmin_platform_id: platform }) => platform === null)
    if (wanted.superadmin_platform_id === null && ofAll.every(({ id }) => id === userId))
      return 'last superadmin'
    await sql`
      update users set superadmin = false, was_superadmin = true, superadmin_billing = false, superadmin_platform_id = null, updated_at = now()
      where id = ${userId}`
    // Not for the owner of their default project, as before.
    await recordEntry(queries, origin, { kind: 'user.demoted', accountId: userId, projectId: null })
    return 'demoted'
  })
}

/**
 * Whether the user may use AI features; false if there is no such user. With a platform, only users who belong to it and to no
 * other: those with a project of it, or its superadmins.
 */
export function setAi(
  db: Database,
  userId: number,
  { isEnabled, platformId = null }: { isEnabled: boolean; platformId?: number | null },
  origin: Origin,
): Promise<boolean> {
  return db.transaction(async (queries) => {
    const { count } = await queries.sql`
      update users u set enable_ai = ${isEnabled}, updated_at = now() where id = ${userId} ${isOnlyOf(queries, platformId)}`
    if (count === 0) return false
    const details = { enable_ai: isEnabled }
    await recordEntry(queries, origin, { kind: 'user.changed', accountId: userId, details })
    return true
  })
}

/** Whether the user `u` belongs to a platform and to no other; everybody does if it is null. */
export const isOnlyOf = ({ sql }: Queries, platformId: number | null) =>
  platformId === null
    ? sql``
    : sql`and (select every(platform_id is not distinct from ${platformId}) from (
        select u.superadmin_platform_id as platform_id where u.superadmin
        union all select p.platform_id from memberships m join projects p on p.id = m.project_id and p.deleted_at is null
        where m.user_id = u.id) belonging)`

interface Profile {
  name: string
  language: string | null
  time_zone: string | null
}

/** Sets what is given. Null means the language and the time zone of the browser. A time zone has to be known here and in the database, which uses it. */
export async function setProfile(
  queries: Queries,
  userId: number,
  {
    name,
    language,
    timeZone,
  }: {
    name: string | null | undefined
    language: Language | null | undefined
    timeZone: string | null | undefined
  },
): Promise<Profile | 'unknown time zone' | 'account closed'> {
  const { sql } = queries
  if (timeZone && !isTimeZone(timeZone)) return 'unknown time zone'
  try {
    if (timeZone) await requireTimeZone(queries, timeZone)
    const [user] = await sql<Profile[]>`
      update users set name = coalesce(${name ?? null}, name), language = ${language === undefined ? sql`language` : language}, updated_at = now(),
        time_zone = ${timeZone === undefined ? sql`time_zone` : timeZone},
        digest_at = ${timeZone === undefined ? sql`digest_at` : null}
      where id = ${userId} and closed_at is null returning name, language, time_zone`
    return user ?? 'account closed'
  } catch (error) {
    if (isUnknownTimeZone(error)) return 'unknown time zone'
    throw error
  }
}

export async function addRecoveryCodes({ sql }: Queries, userId: number, codes: string[]): Promise<void> {
  for (const code of codes) await sql`insert into recovery_codes values (${userId}, ${sha256(code)})`
}
