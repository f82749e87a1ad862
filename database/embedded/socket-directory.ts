import { chown, lstat, mkdtemp, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../unless-missing.ts'
import type { Account } from './account.ts'
import { dataDirectoryIn } from './cluster.ts'

/** Part of the socket's file name; nothing listens on a network port. */
export const port = 5432

/** Made by root for the user that it becomes. */
export const runtimeDirectoryOf = (uid: number) => `/run/cardinal-${uid}`

const ownUid = process.getuid?.() ?? 0
/** The first one that can be used. Only we can write to those below /run; in /tmp others cannot replace what is ours. */
const places = [...(ownUid === 0 ? ['/run'] : [`/run/user/${ownUid}`, runtimeDirectoryOf(ownUid)]), '/tmp']

/**
 * Creates a private directory for PostgreSQL's socket outside of the data directory, because a socket's path may have 103 bytes at
 * most, and TMPDIR may be long or closed to PostgreSQL's user. A link in the data directory points to it.
 */
export async function makeSocketDirectory(directory: string, account: Account | undefined): Promise<string> {
  const socketDirectory = await makePrivateDirectory()
  await symlink(socketDirectory, linkIn(directory))
  if (account !== undefined) await chown(socketDirectory, account.uid, account.gid)
  return socketDirectory
}

async function makePrivateDirectory([place = '/tmp', ...others] = places): Promise<string> {
  try {
    return await mkdtemp(join(place, 'cardinal-'))
  } catch (error) {
    if (others.length === 0) throw error
    return makePrivateDirectory(others)
  }
}

export async function lastSocketDirectory(directory: string): Promise<string | undefined> {
  const target = await unlessMissing(readlink(linkIn(directory)))
  return target !== undefined && /^\/(tmp|run|run\/user\/\d+|run\/cardinal-\d+)\/cardinal-\w{6}$/.test(target)
    ? target
    : undefined
}

export async function removeSocketDirectory(directory: string): Promise<void> {
  const socketDirectory = await lastSocketDirectory(directory)
  if (socketDirectory !== undefined && (await isOurs(socketDirectory, directory))) {
    for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) {
      await rm(join(socketDirectory, name), { force: true })
    }
    // What else somebody has put there stays.
    await rmdir(socketDirectory).catch(() => undefined)
  }
  await rm(linkIn(directory), { force: true })
}

/** False if another user has taken the name since, for example after /tmp was emptied. */
async function isOurs(socketDirectory: string, directory: string): Promise<boolean> {
  const found = await unlessMissing(lstat(socketDirectory))
  const data = await unlessMissing(lstat(dataDirectoryIn(directory)))
  return found?.isDirectory() === true && [ownUid, data?.uid].includes(found.uid)
}

function linkIn(directory: string): string {
  return join(directory, 'postgres.socket')
}
