import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { StartFailure } from '../../start-failure.ts'
import { unlessMissing } from '../unless-missing.ts'
import { dataDirectoryIn } from './cluster.ts'

/** A user of the system that is not root. */
export interface Account {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so root runs it as another user; other users run it as themselves. */
export async function accountForPostgres(directory: string): Promise<Account | undefined> {
  const ownUid = process.getuid?.()
  if (ownUid === 0) return chooseAccount(directory)
  const dataDirectory = dataDirectoryIn(directory)
  const owner = await unlessMissing(stat(dataDirectory))
  if (owner !== undefined && owner.uid !== ownUid) {
    throw new StartFailure(`${dataDirectory} belongs to another user (uid ${owner.uid}): start as that user.`)
  }
  return undefined
}

/** The user that root hands its work to: the owner of the data, or else Cardinal's own. */
export async function chooseAccount(directory: string): Promise<Account> {
  const dataDirectory = dataDirectoryIn(directory)
  const data = await unlessMissing(stat(dataDirectory))
  if (data !== undefined) return accountOf(data, dataDirectory)
  const owner = await unlessMissing(stat(directory))
  return owner === undefined || owner.uid === 0 ? ownAccount() : accountOf(owner, directory)
}

function accountOf(owner: Account, dataDirectory: string): Account {
  if (owner.uid === 0) {
    throw new StartFailure(
      `${dataDirectory} belongs to root, and PostgreSQL refuses to run as root: chown -R it to another user.`,
    )
  }
  return { uid: owner.uid, gid: owner.gid }
}

const ownName = 'cardinal'

/** The user of Cardinal's own, which is added if the system has none. It is shared with no other service, unlike `postgres` or `nobody`. */
async function ownAccount(): Promise<Account> {
  const existing = await findOwnAccount()
  if (existing) return existing
  const options = ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin']
  const failure = await promisify(execFile)('useradd', [...options, ownName], {
    env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin' },
  }).then(
    () => undefined,
    (error: Error) => error.message.trim().split('\n').at(-1),
  )
  // Another start may have been faster.
  const added = await findOwnAccount()
  if (added) return added
  throw new StartFailure(
    `PostgreSQL refuses to run as root, and the user "${ownName}" could not be added (${failure}). Add it, or start as another user than root.`,
  )
}

export async function findOwnAccount(): Promise<Account | undefined> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  const [, , uid, gid] = accounts.find(([name]) => name === ownName) ?? []
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined
}
