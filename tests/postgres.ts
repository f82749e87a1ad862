import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { connect, type Database } from '#database/connect.ts'
import { type DatabaseAddress, startEmbedded } from '#database/embedded.ts'
import { migrate } from '#database/migrate.ts'
import { claimDirectory } from '#database/owner.ts'

/** Passes the address of PostgreSQL from tools/test.ts to the test processes. */
export const addressVariable = 'CARDINAL_TEST_POSTGRES'

/** The URL of a PostgreSQL server on which `npm test` runs instead of the embedded one. */
export const givenVariable = 'CARDINAL_TEST_DATABASE_URL'

/** Passes a data directory with the demo, whose service has ended, in the same way. */
export const demoVariable = 'CARDINAL_TEST_DEMO'

/** The time zone of the databases, if it should differ from PostgreSQL's. */
export const timeZoneVariable = 'CARDINAL_TEST_TIME_ZONE'

const template = 'cardinal_template'
const quiet = { debug() {}, info() {}, warn() {}, error() {} }

export const testSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // Many services at a time.
  max_connections: '300',
}

/** A PostgreSQL for tests, with a migrated template database to copy from. */
export async function startTestPostgres(): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-test-'))
  const claim = await claimDirectory(directory)
  const postgres = await startEmbedded({ directory, log: quiet, settings: testSettings })
  const stop = async () => {
    await postgres.stop()
    await claim.release()
    await rm(directory, { recursive: true, force: true })
  }
  try {
    await easePassword(postgres.address)
    await makeTemplate(postgres.address)
  } catch (error) {
    // A failed migration must not leave a PostgreSQL running.
    await stop()
    throw error
  }
  return { address: postgres.address, stop }
}

/** The same on a server that runs already. Its settings stay as they are, and its other databases are not touched. */
export async function useGivenPostgres(
  given: string,
): Promise<{ address: DatabaseAddress; stop(): Promise<void> }> {
  const url = new URL(given)
  const address = {
    host: url.hostname,
    port: Number(url.port || 5432),
    username: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
    database: url.pathname.slice(1),
  }
  const dropTemplate = async () => {
    const admin = connect(address, { connections: 1 })
    await admin.sql.unsafe(`drop database if exists ${template}`).finally(() => admin.end())
  }
  // One may be left by a run that was killed.
  await dropTemplate()
  await makeTemplate(address)
  return { address, stop: dropTemplate }
}

/** Tests open thousands of connections, and each derives its key from the password. */
async function easePassword(address: DatabaseAddress) {
  const admin = connect(address, { connections: 1 })
  await admin.sql.unsafe(
    `set scram_iterations to 1; alter role ${address.username} password '${address.password}'`,
  )
  await admin.end()
}

export async function makeTemplate(address: DatabaseAddress) {
  const admin = connect(address, { connections: 1 })
  await admin.sql.unsafe(`create database ${template}`)
  await admin.end()
  await onTemplate(address, migrate)
}

/** Works on the template itself; the tables of its copies have the same numbers. */
export async function onTemplate<Result>(address: DatabaseAddress, work: (db: Database) => Promise<Result>) {
  const db = connect({ ...address, database: template }, { connections: 1 })
  return work(db).finally(() => db.end())
}

/** A fresh database with the current schema, on the PostgreSQL of this test run or on one started for this process. */
export async function createTestDatabase(): Promise<{ address: DatabaseAddress; drop(): Promise<void> }> {
  const given = process.env[addressVariable]
  const own = given === undefined ? await startTestPostgres() : undefined
  const address: DatabaseAddress = own ? own.address : JSON.parse(given as string)
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const admin = connect(address, { connections: 1 })
  // Copying files takes a third of the time of writing them to the log, since nothing is flushed here.
  await admin.sql.unsafe(`create database ${database} template ${template} strategy file_copy`)
  const timeZone = process.env[timeZoneVariable]
  if (timeZone) await admin.sql.unsafe(`alter database ${database} set timezone to '${timeZone}'`)
  return {
    address: { ...address, database },
    async drop() {
      await admin.sql.unsafe(`drop database ${database} with (force)`)
      await admin.end()
      await own?.stop()
    },
  }
}

export async function withTestDatabase(work: (db: Database) => Promise<void>): Promise<void> {
  const database = await createTestDatabase()
  const db = connect(database.address)
  try {
    await work(db)
  } finally {
    await db.end()
    await database.drop()
  }
}
