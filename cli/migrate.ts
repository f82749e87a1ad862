import { recordEntry } from '#audit/record.ts'
import { readConfig } from '#config.ts'
import { originOf } from './changing.ts'
import { withDatabase } from './with-database.ts'

export async function migrateDatabase() {
  const config = readConfig(process.env)
  await withDatabase(config, async (db, applied) => {
    const details = { migrations: applied.length, newest: applied.at(-1) ?? null }
    if (applied.length > 0)
      await recordEntry(db, originOf('migrate', config), { kind: 'command.run', details })
  })
  console.log('The database has the current schema.')
}
