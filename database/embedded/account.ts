import { readFile, stat } from 'node:fs/promises'
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

/** The user that root hands its work to: whoever has the data, or else an account of the system. */
export async function chooseAccount(directory: string): Promise<Account> {
  const dataDirectory = dataDirectoryIn(directory)
  const data = await unlessMissing(stat(dataDirectory))
  if (data !== undefined) return accountOf(data, dataDirectory)
  const owner = await unlessMissing(stat(directory))
  return owner === undefined || owner.uid === 0 ? unprivilegedAccount() : accountOf(owner, directory)
}

function accountOf(owner: Account, dataDirectory: string): Account {
  if (owner.uid === 0) {
    throw new StartFailure(
      `${dataDirectory} belongs to root, and PostgreSQL refuses to run as root: chown -R it to another user.`,
    )
  }
  return { uid: owner.uid, gid: owner.gid }
}

async function unprivilegedAccount(): Promise<Account> {
  const accounts = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const wanted of ['cardinal', 'postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartFailure(
    'PostgreSQL refuses to run as root, and there is no user "cardinal", "postgres" or "nobody" to run it.',
  )
}
