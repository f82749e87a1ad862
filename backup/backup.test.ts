// Backups, restores and moves by the real program, also when it is killed.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { chmod, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import test from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { migrate } from '#database/migrate.ts'
import { drawn, seldom } from '#tests/drawn.ts'
import { rounds } from '#tests/effort.ts'
import { openStream, until } from '#tests/event-stream.ts'
import {
  demoDirectory,
  type Environment,
  eventually,
  networkDatabase,
  run,
  serve,
  start,
  startOnTerminal,
  temporaryDirectory,
  withDatabaseOf,
  within,
} from '#tests/process.ts'
import { randomNumbers } from '#tests/random.ts'
import { runHere } from '#tests/run-here.ts'
import { demoPassword } from '../demo/accounts.ts'
import { head, seal, sealBytes } from './format.ts'
import { withBackup } from './reading.ts'

const operations = '/services/operations/v1/operations'
const me = '/services/identity/v1/users/me'

const directory = await demoDirectory()
const embedded = { CARDINAL_DATA_DIR: directory }
/** Where backups go; started as root, the program is another user. */
const files = await temporaryDirectory()
await chmod(files, 0o777)
const file = path.join(files, 'cardinal.backup')

async function succeeds(args: string[], environment: Environment, by = run): Promise<string> {
  const { code, stdout, stderr } = await by(args, environment)
  assert.equal(code, 0, stderr)
  return stdout
}

async function isRefused(args: string[], environment: Environment, sentence: RegExp) {
  const { code, stderr } = await runHere(args, environment)
  assert.equal(code, 1)
  assert.match(stderr, sentence)
}

const projectNames = async (environment: Environment) => {
  const listed = await succeeds(['project', 'list'], environment, runHere)
  return listed
    .trim()
    .split('\n')
    .map((line) => line.trim().split('  ')[1])
}

test('a backup of a running service is of one moment, and a restore brings it back with a new epoch and no sessions', async () => {
  const service = await serve(embedded)
  const token = await service.signIn('owner@acme.test', demoPassword)
  const owner = service.client(token)
  const { boards } = await owner.call(`${operations}/boards/list`)
  const { group } = await owner.call(`${operations}/groups/create`, {
    board_id: boards[0]?.id as number,
    title: 'Busy',
  })
  const titles = async (client: typeof owner) => {
    const { board } = await client.call(`${operations}/boards/get`, { id: group.board_id })
    return board.groups.find(({ id }) => id === group.id)?.cards.map(({ title }) => title) ?? []
  }
  let count = 0
  const writing = new AbortController()
  const writer = (async () => {
    while (!writing.signal.aborted)
      await owner.call(`${operations}/cards/create`, { group_id: group.id, title: `Card ${++count}` })
  })()
  await eventually(() => assert.ok(count > 10))
  const said = await succeeds(['backup', file], embedded)
  writing.abort()
  await writer
  assert.match(said, new RegExp(`^Backed up to ${file} \\(\\d\\.\\d MB\\)\\.\n$`))
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.deepEqual(await readdir(files), ['cardinal.backup'])

  await owner.call(`${operations}/cards/create`, { group_id: group.id, title: 'After the backup' })
  const stream = await openStream(service, token)
  await until(() => stream.messages.length > 0, 'the first message')
  const cursor = stream.lastId()
  await stream.close()
  await isRefused(['restore', file], embedded, /^Cardinal is running on .+\. Stop it first: /)
  assert.ok((await titles(owner)).includes('After the backup'))
  await service.stop()

  assert.match(
    await succeeds(['restore', file], embedded),
    /^Restored the backup of \S+Z\. Everyone has to sign in again\.\n$/,
  )
  const scheduled = path.join(files, 'embedded')
  const restored = await serve({ ...embedded, CARDINAL_BACKUP_DIR: scheduled })
  assert.equal((await restored.client(token).attempt(me)).status, 401)
  const again = await restored.signIn('owner@acme.test', demoPassword)
  const found = await titles(restored.client(again))
  // Cards were created one after the other, so a moment has the first so many.
  assert.deepEqual(
    found,
    Array.from({ length: found.length }, (_, index) => `Card ${index + 1}`),
  )
  assert.ok(found.length > 10)
  await withDatabaseOf(directory, async ({ sql }) => {
    const [torn] = await sql<{ count: number }[]>`
      select count(*) as count from project_versions v
      where version <> (select max(e.id) from events e where e.project_id = v.project_id)`
    assert.equal(torn?.count, 0)
    const databases = await sql`select from pg_database where datname like 'cardinal%'`
    assert.equal(databases.length, 1)
    const entries =
      await sql`select from audit_entries where kind = 'command.run' and details->>'command' = 'restore'`
    assert.equal(entries.length, 1)
  })
  const { card } = await restored
    .client(again)
    .call(`${operations}/cards/create`, { group_id: group.id, title: 'New' })
  assert.ok(card.id > 0)
  const resumed = await openStream(restored, again, { since: cursor })
  await until(() => resumed.messages.length > 0, 'an answer to the old cursor')
  assert.equal(resumed.messages[0]?.event, 'reset')
  await resumed.close()
  await eventually(async () => assert.match((await readdir(scheduled)).join(), /^cardinal-[\dTZ-]+\.backup$/))
  await restored.stop()
})

seldom('a restore into a new directory brings the key of encrypted secrets', async () => {
  const fresh = await temporaryDirectory()
  await succeeds(['restore', file], { CARDINAL_DATA_DIR: fresh })
  const keyIn = (place: string) => readFile(path.join(place, 'secret.key'), 'utf8')
  assert.equal(await keyIn(fresh), await keyIn(directory))
  assert.deepEqual(await projectNames({ CARDINAL_DATA_DIR: fresh }), await projectNames(embedded))
})

const nothing = { signal: new AbortController().signal, onCheck() {}, onProgress() {} }

test('a backup with a wrong byte anywhere, cut off or longer, and any other file, is refused before anything is touched', async () => {
  const whole = await readFile(file)
  const below = randomNumbers('damaged backups')
  const places = [
    ...[0, 4, 8, head.length - 1, head.length, head.length + 1, head.length + 100],
    ...Array.from({ length: rounds(40) }, () => below(whole.length)),
    ...[
      whole.length - sealBytes - 1,
      whole.length - sealBytes,
      whole.length - sealBytes + 4,
      whole.length - 1,
    ],
  ]
  const damaged = path.join(files, 'damaged.backup')
  const isDamaged = async (bytes: Buffer) => {
    await writeFile(damaged, bytes)
    await assert.rejects(
      withBackup(damaged, nothing, async () => {}),
      /(is damaged or incomplete: its checksum is wrong\. Nothing was changed|is not a backup of Cardinal)\.$/,
    )
  }
  for (const place of places) {
    const bytes = Buffer.from(whole)
    bytes[place] = (bytes[place] as number) ^ (1 << below(8))
    await isDamaged(bytes)
  }
  for (const length of [0, 1, head.length, head.length + sealBytes, whole.length / 2, whole.length - 1])
    await isDamaged(whole.subarray(0, length))
  await isDamaged(Buffer.concat([whole, Buffer.from('\n')]))
  await isDamaged(Buffer.from('create table users ();\n'))

  await writeFile(damaged, whole.subarray(0, -1))
  const fresh = await temporaryDirectory()
  const intoFresh = { CARDINAL_DATA_DIR: fresh }
  await isRefused(['restore', damaged], intoFresh, /\nThe backup .+ is damaged or incomplete/)
  await isRefused(['restore', import.meta.filename], intoFresh, /^\S+ is not a backup of Cardinal\.\n$/)
  await isRefused(['restore', files], intoFresh, /^\S+ is not a backup of Cardinal\.\n$/)
  await isRefused(['restore', path.join(files, 'missing')], intoFresh, /cannot be read \(ENOENT\)\.\n$/)
  assert.deepEqual(await readdir(fresh), [])
  const nowhere = path.join(files, 'missing', 'cardinal.backup')
  await isRefused(['backup', nowhere], embedded, /cannot be written: its directory does not exist\.\n$/)
  await isRefused(['backup', files], embedded, /is not a file that can be written\.\n$/)
})

/** A backup that says something else about itself. */
async function forge(name: string, change: (about: Record<string, unknown>) => object): Promise<string> {
  const whole = await readFile(file)
  const [first = '', ...rest] = zstdDecompressSync(whole.subarray(head.length, -sealBytes))
    .toString()
    .split('\n')
  const text = [JSON.stringify(change(JSON.parse(first))), ...rest].join('\n')
  const contents = Buffer.concat([head, zstdCompressSync(Buffer.from(text))])
  const forged = path.join(files, name)
  await writeFile(forged, Buffer.concat([contents, seal(createHash('sha256').update(contents).digest())]))
  await chmod(forged, 0o644)
  return forged
}

seldom(
  'a backup of a newer schema, or one that the disk has no room for, is refused before anything is touched',
  async () => {
    const fresh = await temporaryDirectory()
    const newer = await forge('newer.backup', (about) => ({
      ...about,
      migrations: [...(about['migrations'] as string[]), '9999_later.sql'],
    }))
    const large = await forge('large.backup', (about) => ({ ...about, bytes: 1e17 }))
    const intoFresh = { CARDINAL_DATA_DIR: fresh }
    await isRefused(
      ['restore', newer],
      intoFresh,
      /newer than this version of Cardinal \(it has 9999_later\.sql\)/,
    )
    await isRefused(
      ['restore', large],
      intoFresh,
      /needs about 100,000,000,000 MB, and .+ has [\d,.]+ MB free/,
    )
    assert.deepEqual(await readdir(fresh), [])
  },
)

/** Sends a signal to a command as soon as it has said something, or so long after that. Returns how it ended. */
async function signalAfter(
  args: string[],
  environment: Environment,
  said: RegExp,
  { signal = 'SIGKILL', milliseconds = 0 }: { signal?: NodeJS.Signals; milliseconds?: number } = {},
) {
  const command = start(args, environment)
  let isSent = false
  command.child.stderr.on('data', () => {
    if (isSent || !said.test(command.stderr)) return
    isSent = true
    if (milliseconds === 0) command.child.kill(signal)
    else setTimeout(() => command.child.kill(signal), milliseconds)
  })
  const ended = await within(60_000, command.ended)
  assert.match(command.stderr, said)
  return { ended, stderr: command.stderr }
}

/** Without deepEqual, which would need gigabytes to say how two long files differ. */
const isUnchanged = async (before: Buffer) =>
  assert.ok(before.equals(await readFile(file)), 'The backup changed.')

/** Again, if it was done before the signal arrived. */
async function interruptBackup(said: RegExp, signal: NodeJS.Signals) {
  const before = await readFile(file)
  const interrupted = await signalAfter(['backup', file], embedded, said, { signal })
  if (interrupted.ended === 0) return interruptBackup(said, signal)
  await isUnchanged(before)
  return interrupted
}

test('a killed backup leaves the one before, and a killed restore the data before', async () => {
  const kept = path.join(files, 'kept.backup')
  await writeFile(kept, await readFile(file), { mode: 0o644 })
  await succeeds(['project', 'add', 'Later', '--platform', '1'], embedded, runHere)
  const all = (await projectNames(embedded)).length
  for (const said of drawn([/50 %/, /75 %/]))
    assert.equal((await interruptBackup(said, 'SIGKILL')).ended, 'SIGKILL')
  const stopped = await interruptBackup(/ %/, 'SIGINT')
  assert.equal(stopped.ended, 1)
  assert.match(stopped.stderr, /\nStopped\. Nothing was changed\.\n$/)
  assert.ok(!(await readdir(files)).includes('cardinal.backup.partial'))

  for (const said of drawn([/Restoring: 25 %/, /Restoring: 100 %/])) {
    await signalAfter(['restore', kept], embedded, said)
    assert.ok((await projectNames(embedded)).includes('Later'))
  }
  for (const milliseconds of drawn([500, 1_500])) {
    await signalAfter(['restore', kept], embedded, /Restoring: 100 %/, { milliseconds })
    // It may have been done already, but never half.
    assert.ok([all, all - 1].includes((await projectNames(embedded)).length))
  }
  await succeeds(['restore', kept], embedded)
  assert.ok(!(await projectNames(embedded)).includes('Later'))
})

seldom('a backup of an older schema is restored with the current one', async () => {
  const older = await networkDatabase({ isEmpty: true })
  const all = await readdir(path.join(import.meta.dirname, '../database/migrations'))
  await migrate(older.db, { only: all.filter((name) => name < '0060') })
  await older.db.sql`update platforms set name = 'Older'`
  const olderFile = path.join(files, 'older.backup')
  await succeeds(['backup', olderFile], { DATABASE_URL: older.url }, runHere)
  const newest = await networkDatabase({ isEmpty: true })
  await succeeds(['restore', olderFile], { DATABASE_URL: newest.url }, runHere)
  assert.match(await succeeds(['platform', 'list'], { DATABASE_URL: newest.url }, runHere), / Older\n$/)
  const applied = await newest.db.sql`select from schema_migrations`
  assert.equal(applied.length, all.length)
  await isRefused(
    ['restore', olderFile],
    { DATABASE_URL: newest.url },
    /The database is not empty \(it has \w+\)/,
  )
})

/** A database whose owner is no superuser, as on a managed server. */
async function ownedDatabase() {
  const { url, db } = await networkDatabase({ isEmpty: true })
  const name = new URL(url).pathname.slice(1)
  await db.sql.unsafe(`
    create role owner_of_${name} login password 'secret';
    alter database ${name} owner to owner_of_${name};
    alter schema public owner to owner_of_${name}`)
  const owned = new URL(url)
  owned.username = `owner_of_${name}`
  owned.password = 'secret'
  return { url: owned.href, db }
}

seldom(
  'export-to moves everything to a server whose role is no superuser, with sessions, and a killed one leaves it without data',
  async () => {
    const service = await serve(embedded)
    const token = await service.signIn('owner@acme.test', demoPassword)
    const server = await ownedDatabase()
    await isRefused(['export-to', server.url], embedded, /^Cardinal is running on .+\. Stop it first: /)
    await service.stop()
    for (const said of drawn([/Copying: 75 %/, /Comparing: 25 %/]))
      await signalAfter(['export-to', server.url], embedded, said)
    await eventually(async () => {
      const others = await server.db.sql`
      select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`
      assert.equal(others.length, 0)
    })
    assert.equal((await server.db.sql`select from users`).length, 0)

    const said = await succeeds(['export-to', server.url], embedded)
    assert.match(said, /^Copied [\d,]+ rows; the row counts and checksums of all tables are the same\./)
    assert.match(said, /\nSet CARDINAL_SECRET_KEY to the first line of .+\/secret\.key\.\n/)
    await isRefused(['export-to', server.url], embedded, /The database is not empty/)
    await isRefused(['export-to', 'https://db.example'], embedded, /DATABASE_URL must/)
    const missing = { CARDINAL_DATA_DIR: await temporaryDirectory() }
    await isRefused(['export-to', server.url], missing, /^There is no embedded database in /)

    const moved = await serve({ ...embedded, DATABASE_URL: server.url })
    const owner = moved.client(token)
    const { boards } = await owner.call(`${operations}/boards/list`)
    const { board } = await owner.call(`${operations}/boards/get`, { id: boards[0]?.id as number })
    await owner.call(`${operations}/cards/create`, {
      group_id: board.groups[0]?.id as number,
      title: 'Moved',
    })
    await moved.stop()
  },
)

seldom('a terminal shows a bar', async () => {
  const shown = startOnTerminal(['backup', file], embedded)
  assert.equal(await within(60_000, shown.ended), 0)
  assert.match(shown.stdout, /Backing up {2}█{30} {2}100 %/)
  assert.match(shown.stdout, /Backed up to /)
})
