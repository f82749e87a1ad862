// Who is calling is found by keys, however the tables have grown since PostgreSQL last counted them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'

const service = await startTestService()
const { sql } = service.db

/** How often an index of the table was used, and how many rows were read with and without one. */
async function readsOf(table: string) {
  const [reads] = await sql<{ index_scans: number; rows: number }[]>`
    select idx_scan as index_scans, seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relname = ${table}`
  return reads as NonNullable<typeof reads>
}

test('calls and sign-ins read no sessions but their own after a small service has grown', async () => {
  const { id, email } = await service.addUser()
  const { token } = await service.client().call('/v1/authenticate', { email, password })
  const client = service.client(token)
  await sql`analyze`
  const useOften = async () => {
    for (let call = 0; call < 12; call++) {
      await client.call('/services/identity/v1/users/me')
      await service.client().call('/v1/authenticate', { email, password })
    }
  }
  // PostgreSQL keeps the plans that it makes now.
  await useOften()
  await sql`
    insert into sessions (token_hash, user_id, carrier, second_factor, address, user_agent, expires_at)
    select sha256(number::text::bytea), other.id, 'bearer', false, '127.0.0.1', 'test', now() + interval '1 day'
    from generate_series(1, 5000) number, (select id from users where id <> ${id} limit 1) other`
  const before = await readsOf('sessions')
  await useOften()
  // Connections report what they read some time later.
  await eventually(async () => assert.ok((await readsOf('sessions')).index_scans >= before.index_scans + 24))
  const after = await readsOf('sessions')
  assert.ok(after.rows < before.rows + 5000, `${after.rows - before.rows} rows were read`)
})
