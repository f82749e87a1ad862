// Started as root, the service becomes the user that PostgreSQL runs as, if that user can read the program and reach the data.
// Run as another user, these tests show that nothing changes for them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { chmod, lstat, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import test, { after } from 'node:test'
import { promisify } from 'node:util'
import { demoPassword } from '../demo/accounts.ts'
import { postgresOn, run, serve, withDatabaseOf } from './process.ts'

const isRoot = process.getuid?.() === 0
const closed = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
const directory = path.join(closed, 'data')
after(() => rm(closed, { recursive: true }))
const environment = { CARDINAL_DATA_DIR: directory }
const me = '/services/identity/v1/users/me'

async function userOf(pid: number | undefined): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'uid=', '-p', String(pid)])
  return Number(stdout)
}

const owners = async () =>
  new Set(
    await Promise.all(
      (await readdir(directory)).map(async (name) => (await lstat(path.join(directory, name))).uid),
    ),
  )

let token: string

test('a directory that holds anything else is not taken over', async () => {
  const shared = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
  after(() => rm(shared, { recursive: true }))
  await writeFile(path.join(shared, 'passwd'), '')
  const { code } = await run(['platform', 'list'], { CARDINAL_DATA_DIR: shared })
  assert.equal(code, 0)
  for (const file of [shared, path.join(shared, 'passwd')])
    assert.equal((await lstat(file)).uid, process.getuid?.())
})

test('where only root can reach the data, the service stays root and says why', async () => {
  const service = await serve(environment)
  token = await service.signIn('owner@acme.test', demoPassword)
  assert.equal(await userOf(service.pid), process.getuid?.())
  assert.notEqual(await userOf(await postgresOn(directory)), 0)
  assert.equal(await service.stop(), 0)
  const reasons = service.stdout.split('\n').filter((line) => line.includes('running as root'))
  assert.equal(reasons.length, isRoot ? 1 : 0)
  assert.match(reasons.join(), isRoot ? new RegExp(`cannot read ${directory}"`) : /^$/)
})

test('elsewhere it takes over the data and becomes the user of PostgreSQL; commands do the same, and links are not followed', async () => {
  await chmod(closed, 0o755)
  const untouched = path.join(closed, 'untouched')
  await writeFile(untouched, '')
  // A file that a killed start leaves behind.
  await symlink(untouched, path.join(directory, 'postgres.address.partial'))
  const service = await serve(environment)
  const user = await userOf(service.pid)
  assert.equal(user, await userOf(await postgresOn(directory)))
  assert.notEqual(user, 0)
  assert.doesNotMatch(service.stdout, /running as root/)
  assert.equal((await service.client(token).call(me)).user.email, 'owner@acme.test')
  assert.equal((await lstat(untouched)).uid, process.getuid?.())

  const rotated = await run(['secrets', 'rotate'], environment)
  assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
  assert.deepEqual(await owners(), new Set([user]))
  assert.equal((await lstat(path.join(directory, 'secret.key'))).mode & 0o777, 0o600)
  const details = await withDatabaseOf(
    directory,
    ({ sql }) => sql`select details from audit_entries where source = 'command line'`,
  )
  const recorded = { command: 'secrets rotate', accounts: 1, system_user: userInfo().username }
  assert.deepEqual([...details], [{ details: recorded }])
  assert.equal(await service.stop(), 0)
})
