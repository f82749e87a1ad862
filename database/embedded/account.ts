import { readFile, stat } from 'node:fs/promises'
import { StartFailure } from '../../start-failure.ts'
import { unlessMissing } from '../unless-missing.ts'

/** The user that PostgreSQL runs as if it cannot be ours. */
export interface Account {
  uid: number
  gid: number
}

/** PostgreSQL refuses to run as root, so root runs it as another user; other users run it as themselves. */
export async function chooseAccount(dataDirectory: string): Promise<Account | undefined> {
  const ownUid = process.getuid?.()
  const owner = await unlessMissing(stat(dataDirectory))
  if (ownUid === 0) return owner === undefined ? unprivilegedAccount() : accountOf(owner, dataDirectory)
  if (owner !== undefined && owner.uid !== ownUid) {
    throw new StartFailure(`${dataDirectory} belongs to another user (uid ${owner.uid}): start as that user.`)
  }
  return undefined
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
  for (const wanted of ['postgres', 'nobody']) {
    const [, , uid, gid] = accounts.find(([name]) => name === wanted) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartFailure(
    'PostgreSQL refuses to run as root, and there is no user "postgres" or "nobody" to run it.',
  )
}
