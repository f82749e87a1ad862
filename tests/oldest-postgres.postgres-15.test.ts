// The oldest supported PostgreSQL (docs/operating.md): every migration applies, and the core of the product works. Also that a test run can be
// given a server.
import assert from 'node:assert/strict'
import path from 'node:path'
import test from 'node:test'
import { connect } from '#database/connect.ts'
import { effort } from '#tests/effort.ts'
import { fileOf } from '../tools/system-programs.ts'
import { statementsVariable } from './observed-postgres.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { addressVariable, useGivenPostgres } from './postgres.ts'
import { eventually, onNetwork } from './process.ts'
import { assertPass } from './suites.ts'

const core = [
  'tests/schema.test.ts',
  'api/services/operations/v1/operations/cards/create.test.ts',
  'api/services/operations/v1/admin/master-boards/sync.test.ts',
]
const others = [
  'tests/first-schema.test.ts',
  'jobs/queue.test.ts',
  'quotas/quotas.test.ts',
  'api/services/operations/v1/operations/boards/get.test.ts',
  'api/services/operations/v1/operations/cards/move.test.ts',
  'rollouts/apply.test.ts',
]
const suites = effort === 1 ? core : [...core, ...others]

test('every migration and the core suites pass on PostgreSQL 15', async (t) => {
  const address = await startOwnPostgres(t, path.dirname(await fileOf('postgres-15')))
  const db = connect(address, { connections: 1 })
  t.after(() => db.end())
  const version = async () => (await db.sql<{ server_version: string }[]>`show server_version`)[0]
  assert.match((await eventually(version))?.server_version ?? '', /^15\./)
  // As with CARDINAL_TEST_DATABASE_URL.
  const given = await useGivenPostgres((await onNetwork(address)).url)
  await assertPass(suites, {
    [addressVariable]: JSON.stringify(given.address),
    // Its tables have other numbers than those that the statements of this run are compared with.
    [statementsVariable]: undefined,
  })
  await given.stop()
  const databases = await db.sql<
    { datname: string }[]
  >`select datname from pg_database where not datistemplate`
  assert.deepEqual([...databases], [{ datname: 'postgres' }])
})
