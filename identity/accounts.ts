// Creates and changes accounts, for the setup page, the command line, the demo data and the tests.
import type { Queries } from '#database/connect.ts'
import type { Language } from '#languages/known.ts'
import { sha256 } from './tokens.ts'
import { forgetWrongCodes } from './wrong-codes.ts'

export interface NewUser {
  email: string
  name: string
  passwordHash: string
  superadmin?: boolean
  superadminBilling?: boolean
  enableAi?: boolean
  language?: Language | null
  totpSecret?: string
}

export async function hasUsers({ sql }: Queries): Promise<boolean> {
  return (await sql`select from users limit 1`).length > 0
}

/** Returns the id of the new user. */
export async function addUser({ sql }: Queries, user: NewUser): Promise<number | 'email taken'> {
  const [added] = await sql<{ id: number }[]>`
    insert into users (email, name, password_hash, superadmin, superadmin_billing, enable_ai, language, totp_secret)
    values (${user.email}, ${user.name}, ${user.passwordHash}, ${user.superadmin ?? false},
      ${user.superadminBilling ?? false}, ${user.enableAi ?? false}, ${user.language ?? null}, ${user.totpSecret ?? null})
    on conflict (lower(email)) do nothing returning id`
  return added?.id ?? 'email taken'
}

/** Also ends every session of the user. */
export async function setPassword(queries: Queries, userId: number, passwordHash: string): Promise<void> {
  await queries.sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${userId}`
  await forgetWrongCodes(queries, userId)
  await queries.sql`delete from sessions where user_id = ${userId}`
}

/** Also ends every session of the user. */
export async function disableUser({ sql }: Queries, userId: number): Promise<void> {
  await sql`update users set disabled_at = coalesce(disabled_at, now()), updated_at = now() where id = ${userId}`
  await sql`delete from sessions where user_id = ${userId}`
}

export async function enableUser({ sql }: Queries, userId: number): Promise<void> {
  await sql`update users set disabled_at = null, updated_at = now() where id = ${userId}`
}

/** Whether the user may use AI features; false if there is no such user. */
export async function setAi({ sql }: Queries, userId: number, isEnabled: boolean): Promise<boolean> {
  const { count } = await sql`
    update users set enable_ai = ${isEnabled}, updated_at = now() where id = ${userId}`
  return count > 0
}

/** Null means the language of the browser, undefined changes nothing. Returns the language that the user has then. */
export async function setLanguage(
  { sql }: Queries,
  userId: number,
  language: Language | null | undefined,
): Promise<string | null> {
  const [user] = await sql<{ language: string | null }[]>`
    update users set language = ${language === undefined ? sql`language` : language}, updated_at = now()
    where id = ${userId} returning language`
  return user?.language ?? null
}

export async function addRecoveryCodes({ sql }: Queries, userId: number, codes: string[]): Promise<void> {
  for (const code of codes) await sql`insert into recovery_codes values (${userId}, ${sha256(code)})`
}
