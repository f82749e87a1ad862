import { build, type Queries } from '#database/connect.ts'

const columns = [
  'id',
  'email',
  'name',
  'password_hash',
  'language',
  'superadmin',
  'superadmin_billing',
  'enable_ai',
  'totp_secret',
  'disabled_at',
] as const

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserByEmail>>>

export function findUserByEmail(queries: Queries, email: string) {
  return queries.first(
    build
      .selectFrom('users')
      .select(columns)
      .where((where) => where.eb(where.fn('lower', ['email']), '=', email.toLowerCase())),
  )
}

/** The user of a session, who is there as long as the session is. */
export async function findUser(queries: Queries, id: number): Promise<UserRow> {
  const user = await queries.first(build.selectFrom('users').select(columns).where('id', '=', id))
  return user as UserRow
}
