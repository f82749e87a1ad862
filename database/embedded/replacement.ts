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
  const admin = connect({ ...address, database: 'postgres' }, { connections: 1, longestStatementSeconds: 0 })
  try {
    await admin.sql.unsafe(`create database ${filling}`)
    const db = connect({ ...address, database: filling }, { connections: 1 })
    await fill(db).finally(() => db.end())
    await admin.transaction(async ({ sql }) => {
      await sql.unsafe(`alter database ${address.database} rename to ${replaced}`)
      await sql.unsafe(`alter database ${filling} rename to ${address.database}`)
    })
    await dropUnused(admin)
  } finally {
    await admin.end()
  }
}

/** Removes what an interrupted replacement has left. */
export async function dropUnused({ sql }: Database): Promise<void> {
  const unused = await sql<{ datname: string }[]>`
    select datname from pg_database where datname in (${filling}, ${replaced})`
  for (const { datname } of unused) await sql.unsafe(`drop database ${datname}`)
}
