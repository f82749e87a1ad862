// The keys that secrets are encrypted with in the database: from the setting, or else from a file beside the data.
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'

/** Where the keys come from. The first key encrypts; all of them decrypt. */
interface KeySource {
  secretKeys: readonly string[] | undefined
  dataDirectory: string
}

export const keyFileIn = (dataDirectory: string) => path.join(dataDirectory, 'secret.key')

/** Reads the file each time, so that a running service follows a rotation. Undefined if there is no key. */
export function readKeys({ secretKeys, dataDirectory }: KeySource): readonly string[] | undefined {
  if (secretKeys !== undefined) return secretKeys
  try {
    return readFileSync(keyFileIn(dataDirectory), 'utf8').trim().split('\n')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}

/** Puts a new key into the file. The one before stays, for backups and for what is being written at this moment. */
export async function addKeyToFile(source: KeySource): Promise<void> {
  const [before] = readKeys(source) ?? []
  await writeKeys(source, [randomBytes(32).toString('base64'), ...(before === undefined ? [] : [before])])
}

/** Adds the keys of a backup to the file, so that it opens what is restored. What is there stays. */
export async function addKeysOfBackup(source: KeySource, keys: readonly string[]): Promise<void> {
  if (source.secretKeys !== undefined) return
  const before = readKeys(source) ?? []
  const added = keys.filter((key) => !before.includes(key))
  if (added.length > 0) await writeKeys(source, [...before, ...added])
}

/** The keys that a backup has to hold: none if they come from the setting, which the operator keeps. */
export const keysForBackup = (source: KeySource): readonly string[] =>
  source.secretKeys === undefined ? (readKeys(source) ?? []) : []

async function writeKeys(source: KeySource, keys: readonly string[]): Promise<void> {
  const file = keyFileIn(source.dataDirectory)
  await mkdir(source.dataDirectory, { recursive: true, mode: 0o700 })
  const partial = `${file}.partial`
  await rm(partial, { force: true })
  const opened = await open(partial, 'wx', 0o600)
  try {
    await opened.writeFile(`${keys.join('\n')}\n`)
    // Root may do this for a service that is not root.
    const { uid, gid } = await stat(source.dataDirectory)
    if (process.getuid?.() === 0) await opened.chown(uid, gid)
    await opened.sync()
  } finally {
    await opened.close()
  }
  await rename(partial, file)
}

/** A key is 32 random bytes in base64, as `openssl rand -base64 32` prints them. */
export const isKey = (key: string) => /^[A-Za-z0-9+/]{43}=$/.test(key)
