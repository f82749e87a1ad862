// The disk of the data directory is full, a small file system that the test mounts as root.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import test, { type TestContext } from 'node:test'
import { promisify } from 'node:util'
import { demoPassword } from '../demo/accounts.ts'
import { assertJobsRun } from './load/jobs.ts'
import { startLoad } from './load/load.ts'
import { observedFetch } from './observed-fetch.ts'
import { eventually, serve, temporaryDirectory, withDatabaseOf } from './process.ts'

const me = '/services/identity/v1/users/me'
const run = promisify(execFile)

/** A disk of this size, with what can be called when the test ends to let go of it. */
async function mountDisk(t: TestContext, megabytes: number): Promise<string> {
  const disk = path.join(await temporaryDirectory(), 'disk')
  await mkdir(disk)
  await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'cardinal-test', disk])
  t.after(() => run('umount', ['--lazy', disk]))
  return disk
}

/** Takes all space that is left. */
async function fill(file: string) {
  await using filling = await open(file, 'w')
  for (const size of [1_048_576, 4_096]) {
    const chunk = Buffer.alloc(size)
    const write = () =>
      filling.write(chunk).then(
        ({ bytesWritten }) => bytesWritten === size,
        (error) => {
          assert.equal(error.code, 'ENOSPC')
          return false
        },
      )
    while (await write());
  }
}

test('with a full disk, writes get the 500 body and reads work; with space again nothing is missing', async (t) => {
  const disk = await mountDisk(t, 300)
  const directory = path.join(disk, 'data')
  const service = await serve({
    CARDINAL_DATA_DIR: directory,
    CARDINAL_RATE_LIMIT: '1000000',
    CARDINAL_ANONYMOUS_RATE_LIMIT: '1000000',
  })
  t.after(() => service.stop('SIGKILL'))
  const token = await service.signIn('viewer@acme.test', demoPassword)
  const load = await withDatabaseOf(directory, (db) => startLoad(() => service.url, db))
  const ballast = path.join(disk, 'ballast')

  const readsAnswer = async () => {
    const response = await observedFetch(`${service.url}/api${me}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(10_000),
    })
    return response.status
  }

  const ready = async () => {
    const { status, headers } = await fetch(`${service.url}/api/health/ready`)
    return [status, headers.get('x-error-code')]
  }

  await t.test('500 for writes that need space, while reads work; the service is not ready', async () => {
    load.run('keeps trying')
    await fill(ballast)
    await eventually(() => assert.ok(load.tally.repeated > 20))
    assert.equal(await readsAnswer(), 200)
    assert.deepEqual(await ready(), [503, 'database_full'])
  })

  await t.test('500 for everything when PostgreSQL has no space for its log and stops', async () => {
    await withDatabaseOf(directory, async ({ sql }) => {
      const log = async () => {
        for (;;) await sql`select pg_logical_emit_message(false, 'full', repeat('x', 1000000))`
      }
      await assert.rejects(log())
    })
    await eventually(async () => assert.equal(await readsAnswer(), 500))
  })

  await t.test('everything works again when there is space', async () => {
    await rm(ballast)
    await eventually(async () => assert.equal(await readsAnswer(), 200), 60_000)
    await load.pause()
    await load.repeat()
    await withDatabaseOf(directory, async (db) => {
      await load.assertExact(db)
      await assertJobsRun(db)
      await load.stop(db)
    })
    await eventually(async () => assert.deepEqual(await ready(), [200, null]), 40_000)
    assert.equal(await service.stop(), 0)
  })
})
