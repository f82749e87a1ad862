// Started as root, every command becomes the user that PostgreSQL runs as, because nothing here needs root's rights.
import {
  closeSync,
  existsSync,
  fchownSync,
  fstatSync,
  lchownSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { flushCompileCache } from 'node:module'
import path from 'node:path'
import type { Config } from '#config.ts'
import { type Account, chooseAccount, findOwnAccount } from '#database/embedded/account.ts'
import { installedBinaries } from '#database/embedded/binaries.ts'
import { runtimeDirectoryOf } from '#database/embedded/socket-directory.ts'
import { errorCode } from '#database/unless-missing.ts'
import { StartFailure } from '#start-failure.ts'
import { noteStarter } from './started-by.ts'
import { openDirectory, problemOf } from './trusted-path.ts'

const program = path.join(import.meta.dirname, '..')

/** Starts this program again as the other user, and does not return; or returns why it stays root. Undefined if it is not root. */
export async function leaveRoot(config: Config, isService: boolean): Promise<string | undefined> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  const reason = await tryToLeave(config, isService)
  if (usesDirectory(config)) await requireTrusted(config.dataDirectory, reason)
  return reason
}

/** Returns why the program has to stay root. */
async function tryToLeave(config: Config, isService: boolean): Promise<string> {
  try {
    if (isService && config.port !== 0 && config.port < firstOpenPort())
      return `only root may listen on port ${config.port}`
    const account = await chooseAccount(config.dataDirectory)
    const directory = usesDirectory(config) ? config.dataDirectory : undefined
    const needed = neededFiles(config)
    const target = directory && resolved(directory)
    const hidden = as(account, () => firstUnreadable(needed, directory, target))
    if (hidden !== undefined) return `the user with the id ${account.uid} cannot read ${hidden}`
    const obstacle = directory && handOver(directory, account)
    if (obstacle !== undefined) return obstacle
    makeOwnDirectories(account)
    await noteStarter(account.uid)
    return become(account)
  } catch (error) {
    if (error instanceof StartFailure) return error.message
    if (errorCode(error) === undefined) throw error
    return String((error as Error).message)
  }
}

/** Another user who can change the data directory, or put another in its place, could let root write and delete elsewhere. */
async function requireTrusted(directory: string, reason: string): Promise<void> {
  const own = await findOwnAccount()
  const trusted = [0, ...(own ? [own.uid] : [])]
  const problem = problemOf(directory, trusted) ?? problemOnceMade(directory, trusted)
  if (problem !== undefined)
    throw new StartFailure(
      `Cardinal would have to run as root, because ${reason}. Then no other user may be able to change its data directory, but ${problem}. Make it root's (chown root, chmod go-w), start Cardinal as another user, or set CARDINAL_DATA_DIR.`,
    )
}

/** A missing directory is made before it is judged, because in /tmp and the like another user could make it meanwhile. */
function problemOnceMade(directory: string, trusted: readonly number[]): string | undefined {
  try {
    closeSync(openDirectory(directory, { uid: 0, gid: 0 }, trusted))
  } catch (error) {
    if (error instanceof StartFailure) return error.message
    // What cannot be made or opened is reported where it is used.
    if (errorCode(error) === undefined) throw error
  }
  return problemOf(directory, trusted)
}

function firstOpenPort(): number {
  return Number(readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8'))
}

/** It holds the embedded PostgreSQL, or the key of encrypted secrets. */
const usesDirectory = ({ databaseUrl, secretKeys }: Config) =>
  databaseUrl === undefined || secretKeys === undefined

/** Without links, as far as it exists. */
const resolved = (directory: string) => (existsSync(directory) ? realpathSync(directory) : directory)

/** Does this as the other user, then goes back. */
function as<Result>({ uid, gid }: Account, work: () => Result): Result {
  const groups = process.getgroups?.() ?? []
  process.setgroups?.([])
  process.setegid?.(gid)
  process.seteuid?.(uid)
  try {
    return work()
  } finally {
    process.seteuid?.(0)
    process.setegid?.(process.getgid?.() ?? 0)
    process.setgroups?.(groups)
  }
}

/** What is needed besides the program itself. npm installs all packages with the same rights. */
const neededFiles = ({ databaseUrl, catalogueFile }: Config): string[] => [
  process.execPath,
  path.join(program, 'node_modules/.package-lock.json'),
  ...(databaseUrl === undefined ? [path.join(installedBinaries(), 'bin/postgres')] : []),
  ...(catalogueFile === undefined ? [] : [catalogueFile]),
]

/** The first file that cannot be opened, or the data directory if it cannot be reached; `target` is where its links lead. */
function firstUnreadable(
  needed: readonly string[],
  directory: string | undefined,
  target: string | undefined,
): string | undefined {
  if (directory !== undefined && !succeeds(() => statSync(directory))) return directory
  return (
    needed.find((file) => !succeeds(() => closeSync(openSync(file, 'r')))) ??
    firstUnreadableIn(program, target)
  )
}

/** A part of the program may have been updated with a stricter umask than the rest. */
function firstUnreadableIn(folder: string, except: string | undefined): string | undefined {
  if (!succeeds(() => readdirSync(folder))) return folder
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name)
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || file === except) continue
    const found = entry.isDirectory()
      ? firstUnreadableIn(file, except)
      : succeeds(() => closeSync(openSync(file, 'r')))
        ? undefined
        : file
    if (found !== undefined) return found
  }
  return undefined
}

function succeeds(work: () => unknown): boolean {
  try {
    work()
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (['EACCES', 'EPERM'].includes(code)) return false
    // What is missing is missing for every user, and is reported where it is used.
    if (code === 'ENOENT') return true
    throw error
  }
}

/** What Cardinal makes in its data directory. Anything else there means that the directory is not its own, such as /etc by mistake. */
const ours =
  /^(postgres(\.(password|address|address\.partial|socket|new-\w+))?|owner(\.takeover)*|secret\.key(\.partial)?)$/

/** Gives the data directory, and what an earlier start as root left in it, to the account. Returns why not, if it cannot be. */
function handOver(directory: string, account: Account): string | undefined {
  const { uid, gid } = account
  // A link of the account may lead to a directory that it owns already, but not to one that root would give it.
  const isTheirs = statSync(directory, { throwIfNoEntry: false })?.uid === uid
  const opened = openDirectory(directory, account, isTheirs ? [0, uid] : [0])
  try {
    const { uid: owner, mode } = fstatSync(opened)
    const inside = `/proc/self/fd/${opened}`
    if ((mode & 0o022) !== 0) return `other users can write to ${directory}`
    if (owner === 0 && !isTheirs) {
      const names = readdirSync(inside)
      const foreign = names.find((name) => !ours.test(name))
      if (foreign !== undefined) return `${directory} also holds ${foreign}, which is not Cardinal's`
      // Only while nobody but root could have put a link there, and the directory last, so that an interrupted change is repeated.
      for (const name of names) lchownSync(path.join(inside, name), uid, gid)
      fchownSync(opened, uid, gid)
      return undefined
    }
    if (owner !== uid) return `${directory} belongs to the user with the id ${owner}`
    const foreign = readdirSync(inside, { withFileTypes: true }).find(
      (entry) => entry.isFile() && statSync(path.join(inside, entry.name)).uid !== uid,
    )
    return foreign && `${path.join(directory, foreign.name)} does not belong to the owner of its directory`
  } finally {
    closeSync(opened)
  }
}

/** What the account could not make itself: a place for PostgreSQL's socket, and one for compiled TypeScript. */
function makeOwnDirectories(account: Account): void {
  for (const directory of [
    runtimeDirectoryOf(account.uid),
    path.join(program, `node_modules/.cache/cardinal-${account.uid}`),
  ])
    try {
      closeSync(openDirectory(directory, account, [0]))
    } catch {
      // Both are optional: sockets can be in /tmp too, and the cache only saves time.
    }
}

function become({ uid, gid }: Account): never {
  // Node does this when it ends, but `execve` replaces the process before that.
  flushCompileCache()
  process.setgroups?.([])
  process.setgid?.(gid)
  process.setuid?.(uid)
  process.execve?.(
    process.execPath,
    [process.argv0, ...process.execArgv, ...process.argv.slice(1)],
    process.env,
  )
  throw new Error('This platform cannot replace a process.')
}
