import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartFailure } from '../../start-failure.ts'
import { unlessMissing } from '../unless-missing.ts'
import { installedBinaries } from './binaries.ts'

/** PostgreSQL reads only data of its own major version. */
export async function requireOwnMajor(dataDirectory: string): Promise<void> {
  const written = await unlessMissing(readFile(join(dataDirectory, 'PG_VERSION'), 'utf8'))
  if (written === undefined) return
  const { version } = JSON.parse(await readFile(join(installedBinaries(), '../package.json'), 'utf8'))
  const [own] = version.split('.')
  if (written.trim() !== own)
    throw new StartFailure(
      [
        `${dataDirectory} is of PostgreSQL ${written.trim()}, and this version of Cardinal comes with PostgreSQL ${own}. Go back to the version of Cardinal that you had, and move the data with it:`,
        'To a PostgreSQL server:   npm run cardinal -- export-to <DATABASE_URL>',
        'To this version:          npm run cardinal -- backup <file>, then with this version and a new CARDINAL_DATA_DIR: npm run cardinal -- restore <file>',
      ].join('\n'),
    )
}
