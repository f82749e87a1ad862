// Another database takes the place of the embedded one. Until it is complete the old one stays, also if the process is killed.
import { connect, type Database } from '../connect.ts'
import type { DatabaseAddress } from '../embedded.ts'

const filling = 'cardinal_filling'
const replaced = 'cardinal_replaced'

/** Nobody may be connected to the database at the address. */
export async function replaceDatabase(
  address: DatabaseAddress,
  fill: (db: Database) => Promise<unknown>,
): Promise<void> {
  const open = (database: string) =>
    connect({ ...address, database }, { connections: 1, longestStatementSeconds: 0, connectSeconds: 30 })
  const admin = open('postgres')
  try {
    await admin.sql.unsafe(`create database ${filling}`)
    const db = open(filling)
    await fill(db).finally(() => db.end())
    await admin.transaction(async ({ sql }) => {
      await sql.unsafe(`alter database ${address.database} rename to ${replaced}`)
      await sql.unsafe(`alter database ${filling} rename to ${address.database}`)
    })
  } finally {
    // It can wait for the next start, for example if PostgreSQL has ended because the disk is full.
    await dropUnused(admin).catch(() => {})
    await admin.end()
  }
}

/** Removes what an interrupted replacement has left. */
export async function dropUnused({ sql }: Database): Promise<void> {
  const unused = await sql<{ datname: string }[]>`
    select datname from pg_database where datname in (${filling}, ${replaced})`
  for (const { datname } of unused) await sql.unsafe(`drop database ${datname}`)
}
