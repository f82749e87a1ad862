import type { Queries } from '#database/connect.ts'
import type { Person } from './weak-password.ts'

export interface UserRow {
  id: number
  email: string
  name: string
  /** Null for people who came by single sign-on and have set none. */
  password_hash: string | null
  language: string | null
  superadmin: boolean
  superadmin_billing: boolean
  enable_ai: boolean
  totp_secret: string | null
  disabled_at: string | null
  default_project_id: number | null
}

export const userColumns = `
  u.id, u.email, u.name, u.password_hash, u.language, u.superadmin, u.superadmin_billing, u.enable_ai, u.totp_secret, u.disabled_at,
  u.default_project_id`

export async function findUserByEmail(queries: Queries, email: string): Promise<UserRow | undefined> {
  const [user] = await queries.run<UserRow>(
    `select ${userColumns} from users u where lower(u.email) = lower($1)`,
    [email],
  )
  return user
}

export const accountOf = (userId: number) => `user ${userId}`

/** Finds the user of a session, who exists as long as the session does. */
export async function findUser(queries: Queries, id: number): Promise<UserRow> {
  const [user] = await queries.run<UserRow>(`select ${userColumns} from users u where u.id = $1`, [id])
  return user as UserRow
}

/** What others may know of a user and would try as a password. */
export async function personOf({ sql }: Queries, id: number): Promise<Person> {
  const [person] = await sql<{ email: string; name: string; project_name: string | null }[]>`
    select u.email, u.name, p.name as project_name from users u left join projects p on p.id = u.default_project_id
    where u.id = ${id}`
  const { email, name, project_name: projectName } = person as NonNullable<typeof person>
  return { email, name, projectName }
}
