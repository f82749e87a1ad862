import type { Config } from '#config.ts'
import { codeOf, connect } from '#database/connect.ts'
import { type DatabaseAddress, startEmbedded } from '#database/embedded.ts'
import { claimDirectory } from '#database/owner.ts'
import { StartFailure } from '#start-failure.ts'
import type { Log } from '../log.ts'

interface OpenDatabase {
  address: DatabaseAddress | string
  isEmbedded: boolean
  close(): Promise<void>
}

/** The database of DATABASE_URL, else the embedded one, which this process then owns. */
export async function openDatabase(config: Config, log: Log): Promise<OpenDatabase> {
  if (config.databaseUrl !== undefined) {
    await checkReachable(config.databaseUrl)
    return { address: config.databaseUrl, isEmbedded: false, close: async () => {} }
  }
  const claim = await claimDirectory(config.dataDirectory)
  try {
    const postgres = await startEmbedded({ directory: config.dataDirectory, log })
    return {
      address: postgres.address,
      isEmbedded: true,
      async close() {
        await postgres.stop()
        await claim.release()
      },
    }
  } catch (error) {
    await claim.release()
    throw error
  }
}

const oldestVersion = 15

async function checkReachable(url: string) {
  const db = connect(url, { connections: 1 })
  try {
    const [row] = await db.sql<{ version: string }[]>`select current_setting('server_version_num') as version`
    const version = Math.floor(Number(row?.version) / 10_000)
    if (version < oldestVersion)
      throw new StartFailure(
        `DATABASE_URL names a PostgreSQL ${version}; Cardinal needs ${oldestVersion} or newer.`,
      )
  } catch (error) {
    if (error instanceof StartFailure) throw error
    const { host, pathname } = new URL(url)
    const reason = (error as Error).message || codeOf(error)
    throw new StartFailure(`Cannot use the database of DATABASE_URL (${host}${pathname}): ${reason}.`)
  } finally {
    await db.end()
  }
}
