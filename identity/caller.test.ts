// Who is calling is found by keys, however the tables have grown since PostgreSQL last counted them.
import assert from 'node:assert/strict'
import test from 'node:test'
import usersMe from '#api/services/identity/v1/users/me.ts'
import type { Exchange } from '#contract/operation.ts'
import { connect, insideTransaction } from '#database/connect.ts'
import { eventually } from '#tests/process.ts'
import { password, startTestService } from '#tests/service.ts'
import { callerIdentifier } from './caller.ts'

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

test('a call reads no projects but those of its caller while PostgreSQL has not counted the projects', async (t) => {
  const fresh = await startTestService()
  const projectId = await fresh.addProject()
  await fresh.db.sql`
    insert into projects (platform_id, name) select platform_id, name from projects, generate_series(1, 2000) where id = ${projectId}`
  const own = await fresh.addProject()
  const user = await fresh.addUser({ roles: { [own]: 'viewer' } })
  const db = connect(fresh.address, { connections: 1, findsByKeys: true })
  t.after(() => db.end())
  const rules = { lifetimes: { days: 1, idleHours: 1 }, isPublic: false }
  const request = {
    header: (name: string) => (name === 'authorization' ? `Bearer ${user.token}` : undefined),
    isForwarded: false,
  } as Exchange
  const { caller, rows } = await db.transaction(async (queries) => {
    const identify = callerIdentifier(insideTransaction(db, queries), {}, rules)
    const { caller } = await identify(request, { ...usersMe, audience: 'signed in' }, () => ({}))
    const [read] = await queries.sql<{ rows: number }[]>`
      select seq_tup_read + idx_tup_fetch as rows from pg_stat_xact_user_tables where relname = 'projects'`
    return { caller, rows: read?.rows ?? Number.NaN }
  })
  assert.deepEqual([caller?.id, caller?.projectId], [user.id, own])
  assert.ok(rows < 10, `${rows} rows were read`)
})
