import assert from 'node:assert/strict'
import test from 'node:test'
import { withTestDatabase } from '#tests/postgres.ts'

test('a transaction whose connection ends fails alone, and the next ones work', async () => {
  await withTestDatabase(async (db) => {
    // More often than there are connections, so that each was lost once.
    for (let round = 0; round < 12; round++) {
      const begun = Promise.withResolvers<number>()
      const running = db.transaction(async ({ sql }) => {
        const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
        begun.resolve(backend?.pid as number)
        await sql`select pg_sleep(20)`
      })
      running.catch(() => {})
      await db.sql`select pg_terminate_backend(${await begun.promise})`
      await assert.rejects(running, { code: 'CONNECTION_CLOSED' })
      const [row] = await db.transaction(({ sql }) => sql<{ one: number }[]>`select 1 as one`)
      assert.equal(row?.one, 1)
    }
  })
})
