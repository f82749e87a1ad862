// What root may rely on when it opens, makes or hands over a directory: nobody else can lead its path elsewhere. Used by leave-root.ts.
import {
  closeSync,
  constants,
  existsSync,
  fchownSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
} from 'node:fs'
import path from 'node:path'
import type { Account } from '#database/embedded/account.ts'
import { errorCode } from '#database/unless-missing.ts'
import { StartFailure } from '#start-failure.ts'

/** What lets other users change the directory or its place: its own owner and mode, and those of every directory and link on the way. */
export function problemOf(file: string, trusted: readonly number[], isOnTheWay = false): string | undefined {
  const parent = path.dirname(file)
  const above = parent === file ? undefined : problemOf(parent, trusted, true)
  if (above !== undefined) return above
  const found = lstatIfThere(file)
  if (!found) return undefined
  if (!trusted.includes(found.uid)) return `${file} belongs to the user with the id ${found.uid}`
  if (found.isSymbolicLink())
    return problemOf(path.resolve(realpathSync(parent), readlinkSync(file)), trusted, isOnTheWay)
  // Nothing can be below a file; the attempt to make the data directory there fails with its own message.
  if (isOnTheWay && !found.isDirectory()) return undefined
  // In /tmp and the like nobody can move or delete what belongs to others.
  const isSticky = isOnTheWay && (found.mode & 0o1000) !== 0
  return (found.mode & 0o022) !== 0 && !isSticky ? `other users can write to ${file}` : undefined
}

function lstatIfThere(file: string) {
  try {
    return lstatSync(file)
  } catch (error) {
    if (!['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) throw error
    return undefined
  }
}

/**
 * Opens a directory. What is missing of its path is made for the account. Links are followed only in the part of the path that nobody but
 * the trusted users can change; below it each directory is opened from the one above, so that no link can be put in between meanwhile.
 */
export function openDirectory(directory: string, account: Account, trusted: readonly number[]): number {
  let known = directory
  while (known !== '/' && !(existsSync(known) && problemOf(known, trusted, true) === undefined))
    known = path.dirname(known)
  let opened = openNoLink(realpathSync(known))
  for (const name of path.relative(known, directory).split(path.sep).filter(Boolean)) {
    const above = opened
    known = path.join(known, name)
    try {
      opened = openOrMake(`/proc/self/fd/${above}/${name}`, account)
    } catch (error) {
      if (!['ENOTDIR', 'ELOOP'].includes(errorCode(error) ?? '')) throw error
      throw new StartFailure(
        lstatIfThere(known)?.isSymbolicLink()
          ? `another user can change the link ${known}`
          : `${known} is not a directory`,
      )
    } finally {
      closeSync(above)
    }
  }
  return opened
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants
const openNoLink = (directory: string) => openSync(directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)

function openOrMake(directory: string, { uid, gid }: Account): number {
  try {
    mkdirSync(directory, { mode: 0o700 })
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    return openNoLink(directory)
  }
  const made = openNoLink(directory)
  // The owner of the directory above may have put another one in its place.
  if (fstatSync(made).uid === 0 && readdirSync(`/proc/self/fd/${made}`).length === 0)
    fchownSync(made, uid, gid)
  return made
}
