import assert from 'node:assert/strict'
import test, { after } from 'node:test'
import { createTestDatabase } from '#tests/postgres.ts'
import { onNetwork } from '#tests/process.ts'
import { connect } from './connect.ts'

test('a transaction whose connection is lost fails, and the next ones work', async () => {
  const database = await createTestDatabase()
  after(() => database.drop())
  const network = await onNetwork(database.address)
  const db = connect(network.url, { connections: 2 })
  after(() => db.end())
  for (let round = 0; round < 3; round++) {
    const begun = Promise.withResolvers<void>()
    const running = db.transaction(async ({ sql }) => {
      await sql`select 1`
      begun.resolve()
      await sql`select pg_sleep(20)`
    })
    running.catch(() => {})
    await begun.promise
    await network.move(undefined)
    await assert.rejects(running, { code: 'CONNECTION_CLOSED' })
    await network.move(database.address)
    const [row] = await db.transaction(({ sql }) => sql<{ one: number }[]>`select 1 as one`)
    assert.equal(row?.one, 1)
  }
})
