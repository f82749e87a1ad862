// The keys of encrypted secrets: made, checked and used for what is not encrypted yet at each start, and replaced by a command.
import { stat } from 'node:fs/promises'
import { recordEntry } from '#audit/record.ts'
import { type Config, readConfig } from '#config.ts'
import type { Database } from '#database/connect.ts'
import { addKeyToFile, isKey, keyFileIn, readKeys } from '#identity/secret-keys.ts'
import { keyId, neededKeys, sealAll, secretsWith } from '#identity/secrets.ts'
import { StartFailure } from '#start-failure.ts'
import { originOf } from './changing.ts'
import { withDatabase } from './with-database.ts'

/** Makes sure that the keys open every stored secret, and encrypts all secrets with the first key that are not yet. */
export async function prepareSecrets(db: Database, config: Config): Promise<number> {
  const needed = await neededKeys(db)
  // A new key would open nothing of what is stored.
  if (readKeys(config) === undefined && needed.size === 0)
    await addKeyToFile(config).catch((error) => {
      throw new StartFailure(
        `The key for secrets could not be stored in ${keyFileIn(config.dataDirectory)} (${error.code ?? error}): set CARDINAL_SECRET_KEY.`,
      )
    })
  const keys = await checkedKeys(config)
  const known = new Set(keys.map(keyId))
  const missing = [...needed].find((id) => !known.has(id))
  if (missing !== undefined)
    throw new StartFailure(
      `The two-factor secrets in the database are encrypted with the key ${missing}, which is not in ${nameOf(config)}. Restore that key; docs/operating.md says what to do if it is lost.`,
    )
  return sealAll(
    db,
    secretsWith(() => keys),
  )
}

async function checkedKeys(config: Config): Promise<readonly string[]> {
  const keys = readKeys(config)
  if (config.secretKeys !== undefined || keys === undefined) return keys ?? []
  const file = keyFileIn(config.dataDirectory)
  if (!keys.every(isKey))
    throw new StartFailure(`${file} must hold keys of 32 bytes in base64, one in each line.`)
  if (((await stat(file)).mode & 0o077) !== 0)
    throw new StartFailure(`${file} can be read by other users: chmod 600 it.`)
  return keys
}

const nameOf = ({ secretKeys, dataDirectory }: Config) =>
  secretKeys === undefined ? keyFileIn(dataDirectory) : 'CARDINAL_SECRET_KEY'

export async function rotateSecrets() {
  const config = readConfig(process.env)
  const count = await withDatabase(config, async (db) => {
    await prepareSecrets(db, config)
    if (config.secretKeys === undefined) await changeKey(db, config)
    const accounts = await prepareSecrets(db, config)
    await recordEntry(db, originOf('secrets rotate', config), { kind: 'command.run', details: { accounts } })
    return accounts
  })
  console.log(
    config.secretKeys === undefined
      ? `Encrypted the secrets of ${count} ${count === 1 ? 'account' : 'accounts'} with a new key in ${keyFileIn(config.dataDirectory)}.`
      : 'All secrets are encrypted with the first key of CARDINAL_SECRET_KEY; the others are no longer needed.',
  )
}

/** Adds a new key once the first one opens everything: the file has two keys, and the second one is removed. */
async function changeKey(db: Database, config: Config): Promise<void> {
  const hasChanged = await db.transaction(async (queries) => {
    // Two runs at the same time would otherwise remove the key that one of them is about to use.
    await queries.sql`select pg_advisory_xact_lock(hashtext('cardinal secrets rotate'))`
    const [first = ''] = await checkedKeys(config)
    const needed = await neededKeys(queries)
    if ([...needed].some((id) => id !== keyId(first))) return false
    await addKeyToFile(config)
    return true
  })
  if (hasChanged) return
  await prepareSecrets(db, config)
  await changeKey(db, config)
}
