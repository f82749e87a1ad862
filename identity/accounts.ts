// Creates and changes accounts, for the command line, the demo data and the tests.
import { isEmail } from '#contract/validate.ts'
import { codeOf, type Queries, uniqueViolation } from '#database/connect.ts'
import { longestPasswordBytes, shortestPassword } from './passwords.ts'
import { sha256 } from './tokens.ts'
import { findUserByEmail } from './users.ts'
import { forgetWrongCodes } from './wrong-codes.ts'

/** An error whose message is for the person at the command line. */
export class AccountProblem extends Error {}

export interface NewUser {
  email: string
  name: string
  passwordHash: string
  superadmin?: boolean
  superadminBilling?: boolean
  enableAi?: boolean
  totpSecret?: string
}

export function checkPassword(password: string) {
  if ([...password].length < shortestPassword)
    throw new AccountProblem(`A password has at least ${shortestPassword} characters.`)
  if (Buffer.byteLength(password) > longestPasswordBytes)
    throw new AccountProblem(`A password has at most ${longestPasswordBytes} bytes.`)
}

export async function hasUsers({ sql }: Queries): Promise<boolean> {
  return (await sql`select from users limit 1`).length > 0
}

export async function addUser(queries: Queries, user: NewUser): Promise<number> {
  if (!isEmail(user.email)) throw new AccountProblem(`${user.email} is not an e-mail address.`)
  checkName(user.name)
  try {
    const [added] = await queries.sql<{ id: number }[]>`
      insert into users (email, name, password_hash, superadmin, superadmin_billing, enable_ai, totp_secret)
      values (${user.email}, ${user.name}, ${user.passwordHash}, ${user.superadmin ?? false},
        ${user.superadminBilling ?? false}, ${user.enableAi ?? false}, ${user.totpSecret ?? null})
      returning id`
    return added?.id as number
  } catch (error) {
    if (codeOf(error) === uniqueViolation) throw new AccountProblem(`${user.email} has an account already.`)
    throw error
  }
}

/** Also ends every session of the user. */
export async function setPassword(queries: Queries, email: string, passwordHash: string): Promise<void> {
  const { id } = await existingUser(queries, email)
  await queries.sql`update users set password_hash = ${passwordHash}, updated_at = now() where id = ${id}`
  await forgetWrongCodes(queries, id)
  await queries.sql`delete from sessions where user_id = ${id}`
}

export async function disableUser(queries: Queries, email: string): Promise<void> {
  const { id } = await existingUser(queries, email)
  await queries.sql`update users set disabled_at = coalesce(disabled_at, now()), updated_at = now() where id = ${id}`
  await queries.sql`delete from sessions where user_id = ${id}`
}

export async function enableUser(queries: Queries, email: string): Promise<void> {
  const { id } = await existingUser(queries, email)
  await queries.sql`update users set disabled_at = null, updated_at = now() where id = ${id}`
}

const longestName = 255

/** Limits the length of a name, because lists contain it. */
export function checkName(name: string) {
  if ([...name].length > longestName)
    throw new AccountProblem(`A name has at most ${longestName} characters.`)
}

export async function addRecoveryCodes({ sql }: Queries, userId: number, codes: string[]): Promise<void> {
  for (const code of codes) await sql`insert into recovery_codes values (${userId}, ${sha256(code)})`
}

export async function existingUser(queries: Queries, email: string) {
  const user = await findUserByEmail(queries, email)
  if (!user) throw new AccountProblem(`There is no account ${email}.`)
  return user
}
