import { readConfig } from '#config.ts'
import {
  AccountProblem,
  addUser,
  checkPassword,
  disableUser,
  enableUser,
  existingUser,
  setPassword,
} from '#identity/accounts.ts'
import { startPasswords } from '#identity/passwords.ts'
import type { Role } from '#identity/roles.ts'
import { listWrongCodes } from '#identity/wrong-codes.ts'
import { createProject } from '#projects/creating.ts'
import { listProjects } from '#projects/listing.ts'
import { addMember } from '#projects/members.ts'
import { addTool } from '#projects/tools.ts'
import { askPassword } from './ask-password.ts'
import { withDatabase } from './with-database.ts'

export async function addUserCommand(
  email: string,
  options: { name: string; superadmin?: true; superadminBilling?: true },
) {
  const passwordHash = await askForHash(email)
  const { name, superadmin = false, superadminBilling = false } = options
  const id = await withDatabase(readConfig(process.env), (db) =>
    addUser(db, { email, name, passwordHash, superadmin, superadminBilling }),
  )
  console.log(`Added ${email} with id ${id}.`)
}

export async function setPasswordCommand(email: string) {
  const hash = await askForHash(email)
  await withDatabase(readConfig(process.env), (db) =>
    db.transaction((queries) => setPassword(queries, email, hash)),
  )
  console.log(`Changed the password of ${email}; all their sessions have ended.`)
}

export async function disableUserCommand(email: string) {
  await withDatabase(readConfig(process.env), (db) =>
    db.transaction((queries) => disableUser(queries, email)),
  )
  console.log(`Disabled ${email}; all their sessions have ended.`)
}

export async function enableUserCommand(email: string) {
  await withDatabase(readConfig(process.env), (db) => enableUser(db, email))
  console.log(`${email} can sign in again.`)
}

export async function listWrongCodesCommand() {
  const accounts = await withDatabase(readConfig(process.env), listWrongCodes)
  for (const { email, count, last_at: lastAt, last_address: lastAddress } of accounts)
    console.log(
      `${email}  ${count} wrong ${count === 1 ? 'code' : 'codes'}, the last at ${lastAt} from ${lastAddress}`,
    )
  if (accounts.length === 0)
    console.log('Nobody entered a wrong code after a right password in the last 30 days.')
}

export async function listProjectsCommand() {
  const projects = await withDatabase(readConfig(process.env), listProjects)
  for (const { id, name, tool_keys: tools } of projects)
    console.log(`${String(id).padStart(6)}  ${name}${tools.length > 0 ? `  (${tools.join(', ')})` : ''}`)
}

export async function addProjectCommand(name: string, { tool }: { tool: string[] }) {
  const config = readConfig(process.env)
  const id = await withDatabase(config, (db) =>
    db.transaction((queries) =>
      createProject(queries, { name, toolKeys: [...new Set(tool)] }, config.quotas),
    ),
  )
  console.log(`Added the project ${name} with id ${id}.`)
}

export async function addToolCommand(projectId: string, toolKey: string) {
  const id = projectIdOf(projectId)
  const config = readConfig(process.env)
  await withDatabase(config, (db) =>
    db.transaction((queries) => addTool(queries, id, toolKey, config.quotas)),
  )
  console.log(`Project ${id} has access to ${toolKey}, and has its templates.`)
}

function projectIdOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new AccountProblem(`${text} is not the id of a project.`)
  return Number(text)
}

export async function addMemberCommand(projectId: string, email: string, options: { role?: Role }) {
  const id = projectIdOf(projectId)
  const config = readConfig(process.env)
  const role = await withDatabase(config, (db) =>
    db.transaction(async (queries) => {
      const user = await existingUser(queries, email)
      return addMember(queries, id, user.id, options.role, config.quotas)
    }),
  )
  console.log(`${email} is ${role} of project ${projectId}.`)
}

async function askForHash(email: string): Promise<string> {
  const password = await askPassword(`Password for ${email}: `)
  if (password === '')
    throw new AccountProblem('No password was given: type it, or send it as a line of standard input.')
  checkPassword(password)
  const passwords = startPasswords()
  try {
    return await passwords.hash(password)
  } finally {
    await passwords.close()
  }
}
