import { chown, mkdtemp, readlink, rm, rmdir, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessMissing } from '../unless-missing.ts'
import type { Account } from './account.ts'

/** Part of the socket's file name; nothing listens on a network port. */
export const port = 5432

/**
 * Creates a private directory for PostgreSQL's socket in /tmp, because a socket's path may have 103 bytes at most, and TMPDIR may be
 * long or closed to PostgreSQL's user. A link in the data directory points to it.
 */
export async function makeSocketDirectory(directory: string, account: Account | undefined): Promise<string> {
  const socketDirectory = await mkdtemp('/tmp/cardinal-')
  await symlink(socketDirectory, linkIn(directory))
  if (account !== undefined) await chown(socketDirectory, account.uid, account.gid)
  return socketDirectory
}

export async function lastSocketDirectory(directory: string): Promise<string | undefined> {
  const target = await unlessMissing(readlink(linkIn(directory)))
  return target !== undefined && /^\/tmp\/cardinal-\w{6}$/.test(target) ? target : undefined
}

export async function removeSocketDirectory(directory: string): Promise<void> {
  const socketDirectory = await lastSocketDirectory(directory)
  if (socketDirectory !== undefined) {
    for (const name of [`.s.PGSQL.${port}`, `.s.PGSQL.${port}.lock`]) {
      await rm(join(socketDirectory, name), { force: true })
    }
    await unlessMissing(rmdir(socketDirectory))
  }
  await rm(linkIn(directory), { force: true })
}

function linkIn(directory: string): string {
  return join(directory, 'postgres.socket')
}
