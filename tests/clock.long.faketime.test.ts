// The clock of the service and of PostgreSQL jumps by an hour, forward and back.
import assert from 'node:assert/strict'
import { chmod, glob, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { connect } from '#database/connect.ts'
import { installedBinaries, sharedBinaries } from '#database/embedded/binaries.ts'
import { demoPassword } from '../demo/accounts.ts'
import { assertJobsOnTime } from './load/jobs.ts'
import { startLoad } from './load/load.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { eventually, onNetwork, run, serve } from './process.ts'

/** More than the load needs. */
const anonymousLimit = 200

/** An environment in which programs have a clock that `jumpTo` can change while they run. */
async function startClock(t: TestContext) {
  const file = path.join(tmpdir(), `cardinal-clock-${process.pid}`)
  t.after(() => rm(file, { force: true }))
  const jumpTo = (hours: 0 | 1) => writeFile(file, `+${hours}h\n`)
  await jumpTo(0)
  const [library] = await Array.fromAsync(glob('/usr/lib/*/faketime/libfaketimeMT.so.1'))
  assert.ok(library)
  // The library's own semaphore and memory belong to one user, but the service changes its user.
  const shared = [`cardinal_sem_${process.pid}`, `cardinal_shm_${process.pid}`]
  const files = [`/dev/shm/sem.${shared[0]}`, `/dev/shm/${shared[1]}`]
  for (const [index, bytes] of [Buffer.from([1, ...Array(31).fill(0)]), Buffer.alloc(8)].entries()) {
    await writeFile(files[index] as string, bytes)
    await chmod(files[index] as string, 0o666)
  }
  t.after(() => Promise.all(files.map((one) => rm(one, { force: true }))))
  const environment = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
  const ofService = { ...environment, FAKETIME_SHARED: shared.map((name) => `/${name}`).join(' ') }
  return { environment, ofService, jumpTo }
}

test('an hour forward and an hour back harm no session, limit, job, stream or write', async (t) => {
  const { environment, ofService, jumpTo } = await startClock(t)
  const binaries = process.getuid?.() === 0 ? await sharedBinaries() : installedBinaries()
  const address = await startOwnPostgres(t, path.join(binaries, 'bin'), environment)
  const db = connect(address, { connections: 1 })
  t.after(() => db.end())
  await eventually(() => db.sql`select 1`)
  const { url } = await onNetwork(address)
  assert.equal((await run(['demo'], { DATABASE_URL: url })).code, 0)
  const service = await serve({
    ...ofService,
    DATABASE_URL: url,
    CARDINAL_RATE_LIMIT: '1000000',
    CARDINAL_ANONYMOUS_RATE_LIMIT: String(anonymousLimit),
  })
  const load = await startLoad(() => service.url, db)

  const ready = () => fetch(`${service.url}/api/health/ready`)
  const signIn = (password: string) =>
    service.client().attempt('/v1/authenticate', { email: 'viewer@acme.test', password })
  const clocks = async () => {
    const [row] = await db.sql<{ now: string }[]>`select now() as now`
    const header = (await ready()).headers.get('date') as string
    return [row?.now as string, header].map((time) => Math.round((Date.parse(time) - Date.now()) / 3_600_000))
  }
  const works = async () => {
    load.run('keeps trying')
    await delay(500)
    await load.pause()
    await load.repeat()
    await load.assertExact(db)
    await assertJobsOnTime(db)
  }

  await works()
  await jumpTo(1)
  // The header is up to a second old.
  await eventually(async () => assert.deepEqual(await clocks(), [1, 1]))
  await works()
  await t.test('429 for too many requests and for a guessed password', async () => {
    for (let count = 0; count < anonymousLimit; count++) await (await ready()).text()
    assert.equal((await ready()).status, 429)
    for (let count = 1; count <= 10; count++) await signIn('wrong')
    assert.equal((await signIn('wrong')).status, 429)
  })

  await jumpTo(0)
  await t.test('429 lasts no longer because of the jump back', async () => {
    const refused = await ready()
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) <= 60, `${refused.headers.get('retry-after')} s`)
    await eventually(async () => assert.equal((await signIn(demoPassword)).status, 200))
  })
  await works()
  await load.stop(db)
  assert.equal(await service.stop(), 0)
})
