import assert from 'node:assert/strict'
import { chmod, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually, networkDatabase, run, serve, temporaryDirectory } from '#tests/process.ts'
import { withBackup } from './reading.ts'

test('the service backs up by its schedule on one instance, and keeps the newest ones', async () => {
  const { url, db } = await networkDatabase()
  const files = await temporaryDirectory()
  await chmod(files, 0o777)
  const backups = path.join(files, 'scheduled')
  const environment = { DATABASE_URL: url, CARDINAL_BACKUP_DIR: backups, CARDINAL_BACKUP_KEEP: '2' }
  const services = await Promise.all([serve(environment), serve(environment)])
  const made = async () => (await readdir(backups)).filter((name) => name.endsWith('.backup')).sort()
  const waitsAgain = () =>
    eventually(async () => {
      const jobs = await db.sql`
        select error from jobs
        where kind = 'backUp' and holder is null and run_at between now() + interval '23 hours' and now() + interval '25 hours'`
      assert.deepEqual([...jobs], [{ error: null }])
    })
  await waitsAgain()
  const first = await made()
  assert.equal(first.length, 1)
  await writeFile(path.join(backups, 'notes.txt'), '')
  await writeFile(path.join(backups, `${first[0]}.partial`), 'cut off')
  for (const _ of [2, 3]) {
    // Their names have seconds.
    await delay(1_000)
    await db.sql`update jobs set run_at = now() where kind = 'backUp'`
    await waitsAgain()
  }
  const kept = await made()
  assert.equal(kept.length, 2)
  assert.ok((kept[0] as string) > (first[0] as string))
  assert.deepEqual((await readdir(backups)).sort(), [...kept, 'notes.txt'])
  await Promise.all(services.map((service) => service.stop()))
  await withBackup(
    path.join(backups, kept[1] as string),
    { signal: new AbortController().signal, onCheck() {}, onProgress() {} },
    async ({ about }) => assert.ok(about.migrations.length > 50),
  )
  const refused = await run(['serve'], {
    ...environment,
    CARDINAL_BACKUP_DIR: path.join(backups, 'notes.txt', 'inside'),
  })
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^CARDINAL_BACKUP_DIR: .+ cannot be written/)
})
