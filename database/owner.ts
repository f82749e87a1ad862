import { mkdir, readlink, symlink, unlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StartFailure } from '../start-failure.ts'
import { identifyProcess, isRunning, pidOf } from './process-identity.ts'
import { errorCode, unlessMissing } from './unless-missing.ts'

interface Claim {
  release(): Promise<void>
}

/** Makes this process the only one that uses a data directory, taking over from an owner that died. */
export async function claimDirectory(directory: string): Promise<Claim> {
  const path = resolve(directory)
  const identity = await identifyProcess(process.pid)
  if (identity === undefined) throw new StartFailure('The start time of this process could not be read.')
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const owner = await claim(join(path, 'owner'), identity)
    if (owner !== undefined) {
      throw new StartFailure(`The data directory ${path} is in use by process ${pidOf(owner)}.`)
    }
  } catch (error) {
    throw error instanceof StartFailure ? error : unusable(path, error)
  }
  return { release: () => removeHeldBy(identity, join(path, 'owner')) }
}

export function unusable(directory: string, error: unknown): StartFailure {
  const reason = errorCode(error) ?? error
  return new StartFailure(`The data directory ${directory} cannot be used (${reason}).`, { cause: error })
}

/** Takes the lock at the path, or returns the living process that holds it. */
async function claim(path: string, identity: string): Promise<string | undefined> {
  for (;;) {
    if (await createLock(path, identity)) return undefined
    const holder = await holderOf(path)
    if (holder === undefined) continue
    if (await isRunning(holder)) return holder
    await removeDead(holder, path, identity)
  }
}

// A symbolic link is created atomically, so no reader sees a lock without its holder.
async function createLock(path: string, identity: string): Promise<boolean> {
  try {
    await symlink(identity, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
}

function holderOf(path: string): Promise<string | undefined> {
  return unlessMissing(readlink(path))
}

// Under a second lock, because a slow process could otherwise remove the lock of the process that took over.
async function removeDead(holder: string, path: string, identity: string): Promise<void> {
  const guard = `${path}.takeover`
  if ((await claim(guard, identity)) !== undefined) {
    await delay(5)
    return
  }
  try {
    await removeHeldBy(holder, path)
  } finally {
    await unlink(guard)
  }
}

async function removeHeldBy(holder: string, path: string): Promise<void> {
  if ((await holderOf(path)) === holder) await unlink(path)
}
