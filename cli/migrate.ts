import { readConfig } from '#config.ts'
import { withDatabase } from './with-database.ts'

export async function migrateDatabase() {
  await withDatabase(readConfig(process.env), async () => {})
  console.log('The database has the current schema.')
}
