// Started as root, the service becomes the user that PostgreSQL runs as, if that user can read the program and reach the data.
// Run as another user, these tests show that nothing changes for them.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  chmod,
  chown,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import path from 'node:path'
import test, { after } from 'node:test'
import { promisify } from 'node:util'
import { demoPassword } from '../demo/accounts.ts'
import { drawn, seldom } from './drawn.ts'
import { eventually, postgresOn, run, serve, start, withDatabaseOf, within } from './process.ts'

const isRoot = process.getuid?.() === 0
/** Declares a test that only root can run. */
const asRoot: typeof seldom = isRoot ? seldom : () => {}
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

/** A directory that is not Cardinal's alone, so that root stays root there. */
async function foreignDirectory(): Promise<{ above: string; data: string }> {
  const above = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
  after(() => rm(above, { recursive: true }))
  const data = path.join(above, 'data')
  await mkdir(data, { mode: 0o700 })
  await writeFile(path.join(data, 'passwd'), '')
  return { above, data }
}

seldom(
  'a directory that holds anything else is not taken over; a command logs who ran it there, whatever the environment says',
  async () => {
    const { data } = await foreignDirectory()
    const command = start(['platform', 'add', 'Second'], {
      CARDINAL_DATA_DIR: data,
      CARDINAL_STARTED_BY: 'somebody',
    })
    assert.equal(await within(60_000, command.ended), 0, command.stderr)
    for (const file of [data, path.join(data, 'passwd')])
      assert.equal((await lstat(file)).uid, process.getuid?.())
    assert.match(command.stdout, /^Added the platform Second with id \d+\.\n$/)
    const { msg, audit } = JSON.parse(command.stderr)
    const { kind, source, command: name, system_user: user } = audit
    assert.deepEqual(
      [msg, kind, source, name, user],
      ['audit', 'command.run', 'command line', 'platform add', userInfo().username],
    )
  },
)

const stranger = 54_321
const onlyPort = /because only root may listen on port 81\./

const untrusted: [string, (made: { above: string; data: string }) => Promise<void>, RegExp][] = [
  ['the directory', ({ data }) => chmod(data, 0o770), /other users can write to \S+data\./],
  ['the one above', ({ above }) => chmod(above, 0o777), /other users can write to \S+root-test-\w+\./],
  ['its owner', ({ data }) => chown(data, stranger, 0), /data belongs to the user with the id 54321\./],
  ['the owner above', ({ above }) => chown(above, stranger, 0), /\w belongs to the user with the id 54321\./],
]

for (const [what, change, problem] of isRoot ? drawn(untrusted) : [])
  test(`root does not trust a data directory that others can change: ${what}`, async () => {
    const made = await foreignDirectory()
    await change(made)
    // The port lets it stay root, and nothing listens there before the refusal.
    const { code, stderr } = await run(['serve'], { CARDINAL_DATA_DIR: made.data, PORT: '81' })
    assert.equal(code, 1)
    assert.match(stderr, onlyPort)
    assert.match(stderr, problem)
    assert.deepEqual(await readdir(made.data), ['passwd'])
  })

asRoot(
  'a directory that others can write to is not used as its owner either, and a link on the way is judged too',
  async () => {
    const { above, data } = await foreignDirectory()
    await chmod(above, 0o755)
    await chown(data, stranger, stranger)
    await chmod(data, 0o770)
    const shared = await run(['platform', 'list'], { CARDINAL_DATA_DIR: data })
    assert.equal(shared.code, 1)
    assert.match(shared.stderr, /because other users can write to \S+data\./)
    const link = path.join(above, 'link')
    await symlink(directory, link)
    await lchown(link, stranger, stranger)
    const linked = await run(['serve'], { CARDINAL_DATA_DIR: link, PORT: '81' })
    assert.equal(linked.code, 1)
    assert.match(linked.stderr, /link belongs to the user with the id 54321\./)
  },
)

asRoot(
  'a missing data directory is made before it is judged, so that nobody can make it meanwhile',
  async () => {
    const above = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
    after(() => rm(above, { recursive: true }))
    const data = path.join(above, 'new/data')
    // Nothing listens there, so the command waits, and nothing else makes the directory.
    const waiting = start(['jobs'], {
      CARDINAL_DATA_DIR: data,
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
    })
    await eventually(() => lstat(data))
    waiting.child.kill()
    await waiting.ended
    for (const made of [data, path.dirname(data)]) {
      const { uid, mode } = await lstat(made)
      assert.deepEqual([uid, mode & 0o777], [0, 0o700])
    }
  },
)

/** A directory of another user, as in their home, and an empty one of root's. */
async function homeBesideRoots(): Promise<{ above: string; home: string; roots: string }> {
  const above = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
  after(() => rm(above, { recursive: true }))
  const [home, roots] = [path.join(above, 'home'), path.join(above, 'roots')]
  for (const made of [home, roots]) await mkdir(made)
  await chmod(above, 0o755)
  await chown(home, stranger, stranger)
  return { above, home, roots }
}

for (const [what, link, data] of isRoot
  ? drawn([
      ['the data directory', '.cardinal', '.cardinal'],
      ['a directory above it', 'app', 'app/.cardinal'],
    ])
  : ([] as string[][]))
  test(`another user's link does not let root hand over what is elsewhere: ${what}`, async () => {
    const { home, roots } = await homeBesideRoots()
    await symlink(roots, path.join(home, link as string))
    await lchown(path.join(home, link as string), stranger, stranger)
    const refused = await run(['platform', 'list'], { CARDINAL_DATA_DIR: path.join(home, data as string) })
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, new RegExp(`because another user can change the link \\S+/home/${link}\\. `))
    assert.deepEqual(await readdir(roots), [])
    assert.equal((await lstat(roots)).uid, 0)
  })

asRoot(
  "in another user's directory root makes the data directory and leaves it, and the directories above, to the user it becomes",
  async () => {
    const { home } = await homeBesideRoots()
    const listed = await run(['platform', 'list'], { CARDINAL_DATA_DIR: path.join(home, 'app/.cardinal') })
    assert.deepEqual([listed.code, listed.stderr], [0, ''])
    const [app, data] = [await lstat(path.join(home, 'app')), await lstat(path.join(home, 'app/.cardinal'))]
    assert.notEqual(data.uid, 0)
    assert.equal(app.uid, data.uid)
  },
)

asRoot('a link in a directory of root alone leads nobody else to the data, so root stays root', async () => {
  const { above, roots } = await homeBesideRoots()
  const data = path.join(above, 'hidden/data')
  await mkdir(path.dirname(data), { mode: 0o700 })
  await symlink(roots, data)
  const listed = await run(['platform', 'list'], { CARDINAL_DATA_DIR: data })
  assert.deepEqual([listed.code, listed.stderr], [0, ''])
  assert.equal((await lstat(roots)).uid, 0)
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

asRoot('a user of its own is added where the system has none', async () => {
  const etc = await mkdtemp(path.join(tmpdir(), 'cardinal-root-test-'))
  after(() => rm(etc, { recursive: true }))
  const choose = `
      const { chooseAccount } = await import('${path.join(import.meta.dirname, '../database/embedded/account.ts')}')
      console.log(JSON.stringify([await chooseAccount('/nowhere'), await chooseAccount('/nowhere')]))`
  // In a mount namespace of its own, so that the system keeps its users.
  const script = `cp -a /etc/. "$0" && sed -i '/^cardinal:/d' "$0"/passwd "$0"/group "$0"/shadow "$0"/gshadow &&
      mount --bind "$0" /etc && exec "$1" --input-type=module -e "$2"`
  const chosen = start(['--mount', 'sh', '-c', script, etc, process.execPath, choose], {}, 'unshare')
  assert.equal(await within(60_000, chosen.ended), 0, chosen.stderr)
  const [first, second] = JSON.parse(chosen.stdout)
  const added = (await readFile(path.join(etc, 'passwd'), 'utf8')).match(/^cardinal:x:(\d+):(\d+):/m)
  assert.deepEqual(first, { uid: Number(added?.[1]), gid: Number(added?.[2]) })
  assert.deepEqual(second, first)
})
