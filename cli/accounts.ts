import { type Entry, recordEntry } from '#audit/record.ts'
import { readConfig } from '#config.ts'
import { mistakableLetterIn } from '#contract/mistakable-letters.ts'
import { controlCharacterIn, isEmail, trimmed } from '#contract/validate.ts'
import type { Queries } from '#database/connect.ts'
import { readWebsiteUrl } from '#evaluations/website-address.ts'
import {
  addUser,
  demote,
  disableUser,
  enableUser,
  setAi,
  setPassword,
  setProfile,
  setSuperadmin,
} from '#identity/accounts.ts'
import { resetSecondFactor } from '#identity/changing-second-factor.ts'
import { longestPasswordBytes, startPasswords } from '#identity/passwords.ts'
import type { Role } from '#identity/roles.ts'
import { findUserByEmail, personOf } from '#identity/users.ts'
import { type Person, shortestPassword } from '#identity/weak-password.ts'
import { weakSentences } from '#identity/weak-sentences.ts'
import { listWrongCodes } from '#identity/wrong-codes.ts'
import type { Language } from '#languages/known.ts'
import { changeProject } from '#projects/changing.ts'
import { createProject } from '#projects/creating.ts'
import { listProjects } from '#projects/listing.ts'
import { removeMember } from '#projects/member/removing.ts'
import { giveRole } from '#projects/members.ts'
import { addPlatform, listPlatforms, renamePlatform } from '#projects/platform.ts'
import { addTool, isToolKey } from '#projects/tools.ts'
import { askPassword } from './ask-password.ts'
import { changing } from './changing.ts'
import { CommandProblem } from './command-problem.ts'
import { withDatabase } from './with-database.ts'

export async function addUserCommand(
  email: string,
  options: {
    name: string
    superadmin?: true
    superadminBilling?: true
    platform?: string
    enableAi?: true
    language?: Language
  },
) {
  const { superadmin = false, superadminBilling = false, platform } = options
  const { enableAi = false, language = null } = options
  if (platform !== undefined && !superadmin)
    throw new CommandProblem('--platform says what a superadmin is superadmin of: give --superadmin too.')
  checkEmail(email)
  const name = nameOf(options.name, 'A user')
  const passwordHash = await askForHash({ email, name })
  const id = await changing('user add', async (db, origin) => {
    const superadminPlatformId = platform === undefined ? null : await platformIdOf(db, platform)
    const rights = { superadmin, superadminBilling, superadminPlatformId, enableAi }
    const added = await addUser(db, { email, name, passwordHash, ...rights, language })
    const details = { superadmin, superadmin_billing: superadminBilling }
    if (added !== 'email taken')
      await recordEntry(db, origin, { kind: 'user.added', accountId: added, details })
    return added
  })
  if (id === 'email taken') throw new CommandProblem(`${email} has an account already.`)
  console.log(`Added ${email} with id ${id}.`)
}

export async function setPasswordCommand(email: string) {
  const person = await withDatabase(readConfig(process.env), async (db) =>
    personOf(db, await userIdOf(db, email)),
  )
  const hash = await askForHash(person)
  await changeUser('user password', email, 'password.changed', (db, id) => setPassword(db, id, hash))
  console.log(`Changed the password of ${email}; all their sessions have ended.`)
}

export async function disableUserCommand(email: string) {
  await changeUser('user disable', email, 'user.disabled', disableUser)
  console.log(`Disabled ${email}; all their sessions have ended.`)
}

export async function enableUserCommand(email: string) {
  await changeUser('user enable', email, 'user.enabled', enableUser)
  console.log(`${email} can sign in again.`)
}

export async function enableAiCommand(email: string) {
  await changing('user enable-ai', async (db, origin) =>
    setAi(db, await userIdOf(db, email), { isEnabled: true }, origin),
  )
  console.log(`${email} may use AI features.`)
}

export async function disableAiCommand(email: string) {
  await changing('user disable-ai', async (db, origin) =>
    setAi(db, await userIdOf(db, email), { isEnabled: false }, origin),
  )
  console.log(`${email} may no longer use AI features.`)
}

export async function setLanguageCommand(email: string, language: Language | undefined) {
  await changeUser('user language', email, 'command.run', (db, id) =>
    setProfile(db, id, { name: undefined, language: language ?? null, timeZone: undefined }),
  )
  console.log(`The language of ${email} is ${language ?? 'that of the browser'}.`)
}

export async function setSuperadminCommand(
  email: string,
  options: { superadminBilling?: true; platform?: string },
) {
  const { superadminBilling: billing = false, platform } = options
  await changing('user set-superadmin', async (db, origin) => {
    const platformId = platform === undefined ? null : await platformIdOf(db, platform)
    const accountId = await userIdOf(db, email)
    await setSuperadmin(db, accountId, { platformId, billing })
    const details = { superadmin_billing: billing, platform_id: platformId }
    await recordEntry(db, origin, { kind: 'user.promoted', accountId, details })
  })
  const where = platform === undefined ? 'all platforms' : `platform ${platform}`
  console.log(`${email} is a superadmin of ${where}${billing ? ', with billing' : ''}.`)
}

export async function demoteCommand(email: string) {
  const outcome = await changing('user demote', async (db, origin) =>
    demote(db, await userIdOf(db, email), { platformId: null }, origin),
  )
  if (outcome === 'last superadmin')
    throw new CommandProblem(
      `${email} is the last superadmin of all platforms. Make another account one first: "user set-superadmin".`,
    )
  console.log(`${email} is no superadmin.`)
}

export async function resetFactorCommand(email: string) {
  const reset = await changing('user reset-factor', async (db, origin) =>
    resetSecondFactor(db, await userIdOf(db, email), { platformId: null }, origin),
  )
  if (typeof reset === 'string') throw new CommandProblem(`${email} does not use two-factor authentication.`)
  console.log(`${email} signs in without two-factor authentication; all their sessions have ended.`)
}

export async function listWrongCodesCommand() {
  const accounts = await withDatabase(readConfig(process.env), listWrongCodes)
  for (const { email, count, last_at: lastAt, last_address: lastAddress } of accounts)
    console.log(
      `${email}  ${count} wrong ${count === 1 ? 'code' : 'codes'}, the last at ${lastAt} from ${lastAddress}`,
    )
  if (accounts.length === 0) console.log('No wrong codes after a correct password in the last 30 days.')
}

export async function listProjectsCommand() {
  const [projects, platforms] = await withDatabase(readConfig(process.env), async (db) => [
    await listProjects(db),
    await listPlatforms(db),
  ])
  const names = new Map(platforms.map(({ id, name }) => [id, name]))
  for (const { id, platform_id: platformId, name, tool_keys: tools } of projects) {
    const details = [
      ...(tools.length > 0 ? [`(${tools.join(', ')})`] : []),
      ...(names.size > 1 ? [`on ${names.get(platformId)}`] : []),
    ]
    console.log([String(id).padStart(6), name, ...details].join('  '))
  }
}

export async function listPlatformsCommand() {
  const platforms = await withDatabase(readConfig(process.env), listPlatforms)
  for (const { id, name } of platforms) console.log(`${String(id).padStart(6)}  ${name}`)
}

export async function addPlatformCommand(given: string) {
  const name = nameOf(given, 'A platform')
  const id = await changing('platform add', async (db, origin) => {
    const added = await addPlatform(db, name)
    if (added === 'name taken') throw nameTaken(name)
    await recordEntry(db, origin, { kind: 'command.run', details: { name } })
    return added
  })
  console.log(`Added the platform ${name} with id ${id}.`)
}

export async function renamePlatformCommand(platformId: string, given: string) {
  const name = nameOf(given, 'A platform')
  await changing('platform rename', async (db, origin) => {
    const outcome = await renamePlatform(db, await platformIdOf(db, platformId), name)
    if (outcome === 'name taken') throw nameTaken(name)
    await recordEntry(db, origin, { kind: 'command.run', details: { name } })
  })
  console.log(`Platform ${platformId} is called ${name}.`)
}

export async function addProjectCommand(
  given: string,
  { product, platform }: { product: string[]; platform?: string },
) {
  const name = nameOf(given, 'A project')
  for (const key of product) checkProductKey(key)
  const config = readConfig(process.env)
  const id = await changing(
    'project add',
    async (db, origin) => {
      const platformId = await chosenPlatform(db, platform)
      const project = { name, toolKeys: [...new Set(product)], platformId }
      return createProject(db, origin, project, config.quotas)
    },
    config,
  )
  console.log(`Added the project ${name} with id ${id}.`)
}

export async function addProductCommand(projectId: string, toolKey: string) {
  const id = projectIdOf(projectId)
  checkProductKey(toolKey)
  const config = readConfig(process.env)
  await changing(
    'project add-product',
    async (db, origin) => {
      if ((await addTool(db, id, toolKey, config.quotas)) === 'no project') throw noProject(id)
      await recordEntry(db, origin, { kind: 'command.run', projectId: id, details: { tool: toolKey } })
    },
    config,
  )
  console.log(`Project ${id} has access to ${toolKey} and received its templates.`)
}

export async function updateProjectCommand(projectId: string, options: { name?: string; website?: string }) {
  const id = projectIdOf(projectId)
  const { website } = options
  const name = options.name === undefined ? undefined : nameOf(options.name, 'A project')
  if (name === undefined && website === undefined)
    throw new CommandProblem('Nothing to change: give --name or --website.')
  checkCharacters(website ?? '', 'An address')
  const websiteUrl = website?.trim() === '' ? null : website && readWebsiteUrl(website)
  if (website !== undefined && websiteUrl === undefined)
    throw new CommandProblem(
      `${website} is not an address that starts with http:// or https://, without a user name, a question mark or a #.`,
    )
  const changed = await changing('project update', async (db, origin) => {
    const project = await changeProject(
      db,
      { projectId: id, actorId: null },
      { name, website_url: websiteUrl },
    )
    // Only a time zone can be refused as unknown, and none is given here.
    if (!project || project === 'unknown time zone') throw noProject(id)
    await recordEntry(db, origin, { kind: 'command.run', projectId: id })
    return project
  })
  console.log(
    `Project ${id} is called ${changed.name}; its website is ${changed.website_url ?? 'not known'}.`,
  )
}

export async function addMemberCommand(projectId: string, email: string, options: { role?: Role }) {
  const id = projectIdOf(projectId)
  const config = readConfig(process.env)
  const role = await changing(
    'member add',
    async (db, origin) => {
      const userId = await userIdOf(db, email)
      return giveRole(db, { projectId: id, userId, role: options.role }, origin, config.quotas)
    },
    config,
  )
  if (role === 'no project') throw noProject(id)
  console.log(`${email} is ${role} of project ${projectId}.`)
}

export async function removeMemberCommand(projectId: string, email: string) {
  const id = projectIdOf(projectId)
  const removed = await changing('member remove', async (db, origin) => {
    const userId = await userIdOf(db, email)
    return removeMember(db, { projectId: id, isSuperadmin: true, sessionId: null, origin }, userId)
  })
  if (removed === 'last owner')
    throw new CommandProblem(
      `${email} is the last owner of project ${id}. Make another member the owner first: "member add".`,
    )
  if (typeof removed === 'string') throw new CommandProblem(`${email} is no member of project ${id}.`)
  console.log(`${email} is no longer a member of project ${id}; ${removed.unassigned} cards are unassigned.`)
}

async function askForHash(person: Person): Promise<string> {
  const password = await askPassword(`Password for ${person.email}: `)
  if (password === '')
    throw new CommandProblem('No password was given. Type it, or pass it as a line of standard input.')
  if ([...password].length < shortestPassword)
    throw new CommandProblem(`A password has at least ${shortestPassword} characters.`)
  if (Buffer.byteLength(password) > longestPasswordBytes)
    throw new CommandProblem(`A password has at most ${longestPasswordBytes} bytes.`)
  const passwords = startPasswords(readConfig(process.env))
  try {
    const weakness = await passwords.weaknessOf(password, person)
    if (weakness) throw new CommandProblem(weakSentences[weakness])
    return await passwords.hash(password)
  } finally {
    await passwords.close()
  }
}

/** Changes an account, and records it with this kind. */
const changeUser = (
  command: string,
  email: string,
  kind: Entry['kind'],
  work: (queries: Queries, userId: number) => Promise<unknown>,
) =>
  changing(command, async (db, origin) => {
    const accountId = await userIdOf(db, email)
    await work(db, accountId)
    await recordEntry(db, origin, { kind, accountId })
  })

async function userIdOf(queries: Queries, email: string): Promise<number> {
  const user = await findUserByEmail(queries, email)
  if (!user) throw new CommandProblem(`There is no account ${email}.`)
  return user.id
}

async function platformIdOf(queries: Queries, text: string): Promise<number> {
  const platform = (await listPlatforms(queries)).find(({ id }) => String(id) === text)
  if (!platform) throw new CommandProblem(`There is no platform ${text}: "platform list" lists them.`)
  return platform.id
}

async function chosenPlatform(queries: Queries, given: string | undefined): Promise<number> {
  if (given !== undefined) return platformIdOf(queries, given)
  const [first, second] = await listPlatforms(queries)
  if (!first || second)
    throw new CommandProblem('There are several platforms: give --platform. "platform list" lists them.')
  return first.id
}

const nameTaken = (name: string) => new CommandProblem(`There is a platform ${name} already.`)

function projectIdOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new CommandProblem(`${text} is not the id of a project.`)
  return Number(text)
}

const noProject = (id: number) => new CommandProblem(`There is no project ${id}.`)

const longestName = 255
const longestEmail = 254

function checkEmail(email: string) {
  checkCharacters(email, 'An email address')
  if (!isEmail(email)) throw new CommandProblem(`${email} is not an email address.`)
  const letter = mistakableLetterIn(email)
  if (letter)
    throw new CommandProblem(
      `${email} has a letter (${letter}) that counts as another one in email addresses.`,
    )
  if ([...email].length > longestEmail)
    throw new CommandProblem(`An email address has at most ${longestEmail} characters.`)
}

/** Control characters would also change what the terminal shows. */
function checkCharacters(text: string, what: string) {
  const control = /[\t\r\n]/.test(text) ? 'a tab or a line break' : controlCharacterIn(text)
  if (control) throw new CommandProblem(`${what} cannot contain a control character (${control}).`)
}

/** The name as operations accept it, but on one line. */
function nameOf(given: string, whose: string): string {
  const name = controlCharacterIn(given) ? given : trimmed(given)
  if (name === '') throw new CommandProblem(`${whose} needs a name.`)
  if ([...name].length > longestName)
    throw new CommandProblem(`A name has at most ${longestName} characters.`)
  checkCharacters(name, 'A name')
  return name
}

function checkProductKey(key: string) {
  if (!isToolKey(key))
    throw new CommandProblem('A product key is a word of small letters, such as website or shop.')
}
