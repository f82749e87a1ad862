// Making and changing accounts: for the command line, the demo data and the tests.
import { isEmail } from '#contract/validate.ts'
import { codeOf, type Queries, uniqueViolation } from '#database/connect.ts'
import { refuseGrowth, usualQuotas } from '#quotas/quotas.ts'
import { longestPasswordBytes, shortestPassword } from './passwords.ts'
import type { Role } from './roles.ts'
import { sha256 } from './tokens.ts'
import { findUserByEmail } from './users.ts'
import { forgetWrongCodes } from './wrong-codes.ts'

/** A sentence for the person who asked. */
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

/** Whether anybody has an account yet. */
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

/** A new password ends every session of the user. */
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

export function listProjects({ sql }: Queries) {
  return sql<{ id: number; name: string; tool_keys: string[] }[]>`
    select id, name, tool_keys from projects where deleted_at is null and kind = 'customer' order by id`
}

/** The platform, which comes into being with the first thing that belongs to it. */
export async function ensurePlatform({ sql }: Queries): Promise<number> {
  await sql`insert into platforms (name) select 'Cardinal' where not exists (select from platforms)`
  const [platform] = await sql<{ id: number }[]>`select min(id) as id from platforms`
  return platform?.id as number
}

export async function addProject(queries: Queries, name: string, toolKeys: string[]): Promise<number> {
  if (name.trim() === '') throw new AccountProblem('A project needs a name.')
  checkName(name)
  for (const key of toolKeys) checkToolKey(key)
  const { sql } = queries
  const [project] = await sql<{ id: number }[]>`
    insert into projects (platform_id, name, tool_keys)
    values (${await ensurePlatform(queries)}, ${name}, ${sql.json(toolKeys.toSorted())}) returning id`
  return project?.id as number
}

const longestName = 255

/** Names come in lists, which have a bound. */
function checkName(name: string) {
  if ([...name].length > longestName)
    throw new AccountProblem(`A name has at most ${longestName} characters.`)
}

/** Gives a project access to a tool; one that it has already is no change. */
export async function addTool({ sql }: Queries, projectId: number, toolKey: string): Promise<void> {
  checkToolKey(toolKey)
  // First, as everybody who changes a project does.
  await sql`select lock_project(id) from projects where id = ${projectId}`
  const updated = await sql`
    update projects set tool_keys = case when tool_keys ? ${toolKey} then tool_keys else tool_keys || to_jsonb(${toolKey}::text) end
    where id = ${projectId} and deleted_at is null and kind = 'customer' returning id`
  if (updated.length === 0) throw new AccountProblem(`There is no project ${projectId}.`)
}

function checkToolKey(key: string) {
  if (!/^[a-z][a-z0-9_-]*$/.test(key))
    throw new AccountProblem('A tool key is a word of small letters, such as website or shop.')
}

/** Makes the user a member, or gives a member the named role; answers the role. The first project becomes the default. */
export async function addMember(
  queries: Queries,
  projectId: number,
  email: string,
  role: Role | undefined,
  quotas = usualQuotas,
): Promise<Role> {
  const { id } = await existingUser(queries, email)
  // Locked, so that the members stay as many as they are.
  const [project] = await queries.sql`
    select from projects where id = ${projectId} and deleted_at is null and kind = 'customer' for no key update`
  if (!project) throw new AccountProblem(`There is no project ${projectId}.`)
  const [present] = await queries.sql<{ others: number; is_member: boolean }[]>`
    select count(*) filter (where user_id <> ${id}) as others, coalesce(bool_or(user_id = ${id}), false) as is_member
    from memberships where project_id = ${projectId}`
  const { others, is_member: isMember } = present as { others: number; is_member: boolean }
  refuseGrowth(quotas, 'membersPerProject', { before: others + Number(isMember), after: others + 1 })
  const [member] = await queries.sql<{ role: Role }[]>`
    insert into memberships as present (project_id, user_id, role) values (${projectId}, ${id}, ${role ?? 'member'})
    on conflict (project_id, user_id) do update set role = coalesce(${role ?? null}::role, present.role) returning role`
  await queries.sql`update users set default_project_id = coalesce(default_project_id, ${projectId}) where id = ${id}`
  return member?.role as Role
}

export async function addRecoveryCodes({ sql }: Queries, userId: number, codes: string[]): Promise<void> {
  for (const code of codes) await sql`insert into recovery_codes values (${userId}, ${sha256(code)})`
}

async function existingUser(queries: Queries, email: string) {
  const user = await findUserByEmail(queries, email)
  if (!user) throw new AccountProblem(`There is no account ${email}.`)
  return user
}
