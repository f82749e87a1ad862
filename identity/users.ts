import type { Queries } from '#database/connect.ts'

export interface UserRow {
  id: number
  email: string
  name: string
  password_hash: string
  language: string | null
  superadmin: boolean
  superadmin_billing: boolean
  enable_ai: boolean
  totp_secret: string | null
  disabled_at: string | null
}

const selectUser = `
  select id, email, name, password_hash, language, superadmin, superadmin_billing, enable_ai, totp_secret, disabled_at from users`

export async function findUserByEmail(queries: Queries, email: string): Promise<UserRow | undefined> {
  const [user] = await queries.run<UserRow>(`${selectUser} where lower(email) = lower($1)`, [email])
  return user
}

/** The user of a session, who is there as long as the session is. */
export async function findUser(queries: Queries, id: number): Promise<UserRow> {
  const [user] = await queries.run<UserRow>(`${selectUser} where id = $1`, [id])
  return user as UserRow
}
