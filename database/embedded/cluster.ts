import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StartFailure } from '../../start-failure.ts'
import { unlessMissing } from '../unless-missing.ts'
import type { Account } from './account.ts'
import type { StartProgram } from './programs.ts'

const unfinishedPrefix = 'postgres.new-'

export const superuser = 'cardinal'

export function dataDirectoryIn(directory: string): string {
  return join(directory, 'postgres')
}

/** Creates the data directory if there is none, and returns the superuser's password. */
export async function prepareCluster(
  directory: string,
  startProgram: StartProgram,
  account: Account | undefined,
): Promise<string> {
  await removeUnfinished(directory)
  const passwordFile = join(directory, 'postgres.password')
  if ((await unlessMissing(lstat(dataDirectoryIn(directory)))) === undefined) {
    const password = randomBytes(32).toString('base64url')
    await writeSecret(passwordFile, password)
    await initialize(directory, password, startProgram, account)
  }
  const password = await unlessMissing(readFile(passwordFile, 'utf8'))
  if (password === undefined) {
    throw new StartFailure(`${passwordFile} is missing, and the database cannot be opened without it.`)
  }
  return password
}

async function removeUnfinished(directory: string): Promise<void> {
  const unfinished = (await readdir(directory)).filter((name) => name.startsWith(unfinishedPrefix))
  for (const name of unfinished) {
    // An initdb whose parent was killed may still be writing there.
    await rm(join(directory, name), { recursive: true, force: true, maxRetries: 5 })
  }
}

// The data directory gets its name only when it is complete, so an interrupted initdb leaves nothing behind.
async function initialize(
  directory: string,
  password: string,
  startProgram: StartProgram,
  account: Account | undefined,
): Promise<void> {
  const unfinished = await mkdtemp(join(directory, unfinishedPrefix))
  const data = join(unfinished, 'data')
  const passwordFile = join(unfinished, 'password')
  await mkdir(data, { mode: 0o700 })
  await writeSecret(passwordFile, password)
  if (account !== undefined) {
    for (const path of [unfinished, data, passwordFile]) await lchown(path, account.uid, account.gid)
  }
  await runInitdb(startProgram, data)
  await rename(data, dataDirectoryIn(directory))
  await flushDirectory(directory)
  await rm(unfinished, { recursive: true })
}

async function runInitdb(startProgram: StartProgram, data: string): Promise<void> {
  const initdb = startProgram('initdb', data, [
    `--username=${superuser}`,
    '--pwfile=../password',
    '--auth=scram-sha-256',
    '--data-checksums',
    '--encoding=UTF8',
    // The built-in locale sorts by code point and knows the case of every letter, and unlike the operating
    // system's locales it never changes under an index.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
  ])
  const [[code], complaint] = await Promise.all([once(initdb, 'close'), text(initdb.stderr)])
  if (code !== 0) throw new StartFailure(`PostgreSQL's initdb failed: ${complaint.trim()}`)
}

async function writeSecret(path: string, secret: string): Promise<void> {
  await rm(path, { force: true })
  await writeFile(path, secret, { mode: 0o600, flag: 'wx', flush: true })
}

export async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path)
  await directory.sync()
  await directory.close()
}
