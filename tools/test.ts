// `npm test`: types, lint and format, generated files, then every test file except the long ones; of the slow files, and of the files in
// the browser, others each time. `npm run long`: the long files (`*.long.*`), all that take turns, and the random tests with more cases. What failed
// is said once more at the end; the last line is `N passed, N failed`.
import { execFile, spawn } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises'
import { availableParallelism, cpus, getPriority, setPriority, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { run } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { leftOut, sparingVariable } from '#tests/drawn.ts'
import { effortVariable } from '#tests/effort.ts'
import { seenVariable } from '#tests/observed-fetch.ts'
import { readStatements, statementsVariable } from '#tests/observed-postgres.ts'
import {
  addressVariable,
  demoVariable,
  givenVariable,
  onTemplate,
  startTestPostgres,
  useGivenPostgres,
} from '#tests/postgres.ts'
import { randomNumbers, seed, seedVariable } from '#tests/random.ts'
import { build } from './build.ts'
import { driftedRows } from './drifted-rows.ts'
import { installPrograms } from './system-programs.ts'
import { unroutableStatements } from './unroutable-statements.ts'
import { unseenStatuses } from './unseen-statuses.ts'

const root = path.join(import.meta.dirname, '..')
const isLong = process.argv[2] === '--long'
const named = process.argv.slice(isLong ? 3 : 2)
const isWhole = named.length === 0 && !isLong
const failures: string[] = []
let passed = 0
let left = 0
/** What ran when, in milliseconds since the start. */
const spans: { name: string; from: number; to: number }[] = []

/** Notes when a step began and ended; a whole run prints it, to show which lanes waited. */
async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const from = performance.now()
  try {
    return await work()
  } finally {
    spans.push({ name, from, to: performance.now() })
  }
}

function printSpans() {
  const seconds = (milliseconds: number) => String(Math.round(milliseconds / 1000)).padStart(4)
  console.log('\nWhat ran from which second to which:')
  for (const { name, from, to } of spans.sort((a, b) => a.from - b.from))
    console.log(`${seconds(from)} –${seconds(to)}  ${name}`)
}

function report(name: string, problem: string | undefined, milliseconds: number) {
  const time =
    milliseconds < 1000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1000).toFixed(1)} s`
  if (problem === undefined) {
    passed++
    console.log(`✔ ${name} (${time})`)
  } else {
    const failure = `✖ ${name} (${time})\n${problem.replace(/^/gm, '    ')}`
    failures.push(failure)
    console.log(failure)
  }
}

async function command(name: string, file: string, ...args: string[]) {
  const startedAt = performance.now()
  const running = () => promisify(execFile)(file, args, { cwd: root, maxBuffer: 1e8 })
  const outcome = await timed(name, running).then(
    () => undefined,
    (error) => `${error.stdout}${error.stderr}`,
  )
  report(name, outcome, performance.now() - startedAt)
}

async function check(name: string, problemOf: () => Promise<string | undefined>) {
  const startedAt = performance.now()
  const problem = await timed(name, problemOf)
  report(name, problem, performance.now() - startedAt)
}

/** Skips tests whose program is missing, with a warning; under CI that is a failure. */
function withoutMissing(files: string[], missing: readonly string[]): string[] {
  const needs = (file: string) => missing.find((program) => file.endsWith(`.${program}.test.ts`))
  for (const file of files.filter(needs)) {
    const sentence = `${path.relative(root, file)} is NOT run: ${needs(file)} is not installed.`
    console.log(`\n!!! ${sentence}\n`)
    if (process.env['CI']) report('programs that the tests need', sentence, 0)
  }
  return files.filter((file) => !needs(file))
}

async function testFiles(): Promise<string[]> {
  if (named.length > 0) return named.map((name) => path.resolve(name))
  const exclude = (name: string) => name === 'node_modules' || name.startsWith('.')
  const names = (await Array.fromAsync(glob('**/*.test.ts', { cwd: root, exclude }))).sort()
  const wanted = isLong ? names.filter(isForLong) : withDrawn(names.filter((name) => !isLongFile(name)))
  return wanted.map((name) => path.join(root, name))
}

/** Files that walk through all of the app. */
const wholeApp = new Set(['web/shell/everywhere.chromium.test.ts', 'web/words/pseudo.chromium.test.ts'])

/** The seed draws which of the files run that take turns: all of them would take longer than everything else. */
function withDrawn(names: string[]): string[] {
  const below = randomNumbers('files')
  const sizeOf = (name: string) => statSync(path.join(root, name)).size
  const inBrowser = names
    .filter((name) => name.endsWith('.chromium.test.ts') && !wholeApp.has(name))
    .sort((a, b) => sizeOf(a) - sizeOf(b))
  const turns = [...turnsOf(12, inBrowser), ...turnsOf(4, inTurns)]
  const chosen = new Set(turns.map((turn) => turn[below(turn.length)]))
  const drawn = new Set(turns.flat())
  console.log(
    `${drawn.size - chosen.size} of ${names.length} test files are left to other seeds and to npm run long.`,
  )
  return names.filter((name) => !drawn.has(name) || chosen.has(name))
}

/** Neighbors, which take about as long, so that every run does. */
const turnsOf = (size: number, files: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(files.length / size) }, (_, turn) =>
    files.slice(size * turn, size * (turn + 1)),
  )

const isLongFile = (name: string) => name.includes('.long.')

/** Files that try more there: they take their number of cases from tests/effort.ts, draw some of them, or look at pages. */
const isForLong = (name: string) =>
  isLongFile(name) ||
  inTurns.includes(name) ||
  /'#tests\/(effort|drawn|browser)\.ts'/.test(readFileSync(path.join(root, name), 'utf8'))

/** Files that take their time and whose behavior seldom changes, neighbors alike in length: a run has one of each four. */
const inTurns = [
  'tests/command-line.test.ts',
  'templates/coverage.test.ts',
  'rollouts/races.test.ts',
  'tests/lifecycle.test.ts',
  'live/restore.test.ts',
  'tests/public-start.test.ts',
  'database/embedded.test.ts',
  'boards/bringing-forward.test.ts',
  'jobs/instances.test.ts',
  'tests/leaving-root.test.ts',
  'inbox/instances.test.ts',
  'database/fair-queue.test.ts',
  'billing/stripe-timeout.test.ts',
  'tests/time-zone.test.ts',
  'tests/replica.postgres-15.test.ts',
  'tools/record-examples.test.ts',
  'tests/secrets.test.ts',
  'tests/slow-start.test.ts',
  'tools/setup.test.ts',
  'backup/scheduled.test.ts',
  'database/connect-patiently.test.ts',
  'billing/killed.test.ts',
  'database/migrate-descriptions.test.ts',
]

/** Files whose tests start and end the program, or look at the process they run in, or take long: each has a process of its own. */
const alone = new Set([
  'backup/backup.test.ts',
  'backup/scheduled.test.ts',
  'billing/killed.test.ts',
  'contract/unread.test.ts',
  'database/connect.test.ts',
  'database/embedded.test.ts',
  'database/owner.test.ts',
  'idle-memory.test.ts',
  'inbox/instances.test.ts',
  'jobs/instances.test.ts',
  'live/restore.test.ts',
  'rollouts/model.test.ts',
  'tests/command-line.test.ts',
  'tests/contract/effects.test.ts',
  'tests/derived.test.ts',
  'tests/failover.postgres-15.test.ts',
  'tests/faults.test.ts',
  'tests/hostile.test.ts',
  'tests/kills.test.ts',
  'tests/leaving-root.test.ts',
  'tests/lifecycle.test.ts',
  'tests/logs.test.ts',
  'tests/noisy-tenant.test.ts',
  'tests/oldest-postgres.postgres-15.test.ts',
  'tests/platforms.test.ts',
  'tests/pooler.pgbouncer.test.ts',
  'tests/public-start.test.ts',
  'tests/readme.test.ts',
  'tests/replica.postgres-15.test.ts',
  'tests/secrets.test.ts',
  'tests/short-lived-requests.test.ts',
  'tests/slow-start.test.ts',
  'tests/tenancy.test.ts',
  'tests/time-zone.test.ts',
  'text/read-aside.test.ts',
  'threads.test.ts',
  'tools/record-examples.test.ts',
  'tools/setup.test.ts',
  'web/ui/date/typed-date.test.ts',
  'web/ui/days.test.ts',
])

/** Files whose tests depend on how fast passwords are hashed, which has a low priority: they run before all others, one by one. */
const first = new Set([
  'api/v1/authenticate.test.ts',
  'identity/devices.test.ts',
  'identity/devices.long.test.ts',
])

/**
 * The files that run in each process. Loading the product takes longer than many files, and starting a browser too, so most files share a
 * process with others of their kind.
 */
function processesFor(files: string[]): string[][] {
  if (!isWhole) return files.map((file) => [file])
  const kinds = Map.groupBy(files, (file) => {
    if (alone.has(path.relative(root, file))) return 'alone'
    return file.endsWith('.chromium.test.ts') ? 'browser' : 'shared'
  })
  const grouped = [
    groupsOf(1, kinds.get('alone') ?? []),
    groupsOf(8, kinds.get('browser') ?? []),
    groupsOf(18, kinds.get('shared') ?? []),
  ]
  // Some kinds keep the processor busy and others mostly wait, so they are spread evenly over the run, but no group begins near its end.
  const placed = grouped.flatMap((groups) =>
    groups.map((group, index) => ({ group, place: (index / groups.length) * (group.length > 1 ? 0.8 : 1) })),
  )
  return placed.sort((a, b) => a.place - b.place).map(({ group }) => group)
}

/** Groups of at most `size` whose members are apart in the list, because slow files are often side by side. */
function groupsOf(size: number, files: string[]): string[][] {
  const count = Math.ceil(files.length / size)
  return Array.from({ length: count }, (_, group) => files.filter((_, index) => index % count === group))
}

const nameOfGroup = ([first = '', ...others]: string[]) =>
  `${path.relative(root, first)}${others.length > 0 ? ` and ${others.length} more` : ''}`

const together = path.join(root, 'tests/together.ts')

async function runTests(files: string[]) {
  const isFirst = (file: string) => first.has(path.relative(root, file))
  for (const file of files.filter(isFirst)) await timed(nameOfGroup([file]), () => runProcess([file]))
  const tests = processesFor(files.filter((file) => !isFirst(file))).map(
    (group) => () => timed(nameOfGroup(group), () => runProcess(group)),
  )
  // Always two more than there are cores took longer than one more.
  await inLanes(availableParallelism() + 1, isWhole ? [generatedFiles, ...tests] : tests, mostWaiting)
}

/** So many processes may run beside the usual ones while they wait: for other processes, time-outs or a page. */
const mostWaiting = 3

/** Does so many things at a time, and up to so many more while a core is idle. */
async function inLanes(count: number, work: (() => Promise<void>)[], more = 0) {
  const waiting = work.values()
  let working = 0
  const lane = async (isLasting: boolean) => {
    working++
    for (const next of waiting) {
      await next()
      if (!isLasting) break
    }
    working--
  }
  const lanes = Array.from({ length: count }, () => lane(true))
  const isOver = Promise.all(lanes).then(() => true)
  const extra: Promise<void>[] = []
  let idle = idleMilliseconds()
  while (more > 0 && !(await Promise.race([isOver, sleep(idleSample, false)]))) {
    const before = idle
    idle = idleMilliseconds()
    if (idle - before > idleSample / 2 && working < count + more) extra.push(lane(false))
  }
  await Promise.all([isOver, ...extra])
}

const idleSample = 2000

/** Of all cores together since the machine started. */
const idleMilliseconds = () => cpus().reduce((sum, { times }) => sum + times.idle, 0)

const types = (name: string, ...options: string[]) =>
  // On one thread, because several together take half as much time again.
  command(name, 'tsc', '--noEmit', '--singleThreaded', ...options)

/** What needs neither PostgreSQL nor a build of the web app. */
const gates = [
  () => types('types'),
  () => types('types of the web app', '--project', 'web'),
  () => types('types of its tests', '--project', 'web/tsconfig.tests.json'),
  () => command('lint and format', 'biome', 'check', '--error-on-warnings', '.'),
]

const generatedFiles = () => command('generated files', process.execPath, 'tools/generate.ts', '--check')

async function runProcess(group: string[]) {
  const stream = run({
    files: group.length === 1 ? group : [together],
    argv: group.length === 1 ? [] : group,
    cwd: root,
    // Every fault of every operation takes longer than an hour.
    timeout: isLong ? 3 * 3_600_000 : 1_200_000,
    execArgv: ['--import', path.join(root, 'tests/observed-postgres.ts')],
  })
  let current = group[0] as string
  for await (const event of stream) {
    // The file of a test is where it was made, which may be a helper.
    if (event.type === 'test:start' && group.includes(event.data.name)) current = event.data.name
    if (event.type === 'test:stdout' || event.type === 'test:stderr') process.stdout.write(event.data.message)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, details, file } = event.data
    const isFile = name === file || group.includes(name)
    // A file counts by its tests, and by itself only if it fails outside of them.
    if (details.type === 'suite' || (event.type === 'test:pass' && isFile)) continue
    if (event.data.skip === leftOut) {
      left++
      continue
    }
    const failure = event.type === 'test:fail' ? event.data.details.error : undefined
    if (isFile && failure && 'failureType' in failure && failure.failureType === 'subtestsFailed') continue
    const error = failure && (failure.cause ?? failure)
    const problem = error === undefined ? undefined : String((error as Error).stack ?? error)
    const from = path.relative(root, isFile ? name : current).replace(/\.test\.ts$/, '')
    report(isFile ? from : `${from}: ${name}`, problem, details.duration_ms)
  }
}

/** A data directory with the demo, made by a first start, which tests copy (tests/process.ts). */
async function makeDemo(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-test-demo-'))
  const service = spawn(process.execPath, [path.join(root, 'cli/cardinal.mjs'), 'serve'], {
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], CARDINAL_DATA_DIR: directory, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface(service.stdout))
    if (line.includes('Cardinal is ready')) service.kill()
  return directory
}

// Threads that hash passwords have this priority (threads.ts). Beside tests with a higher one they waited so long that PostgreSQL gave up a lock.
if (process.platform === 'linux' && getPriority() < 10) setPriority(10)

// The test processes share compiled TypeScript.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, `node_modules/.cache/cardinal-${process.getuid?.()}`)

const seenFile = path.join(tmpdir(), `cardinal-seen-${process.pid}`)
const statementsFile = path.join(tmpdir(), `cardinal-statements-${process.pid}`)

/** Mostly waits, or uses one core. */
async function prepare() {
  await timed('build', build)
  const given = process.env[givenVariable]
  const starting = () => (given === undefined ? startTestPostgres() : useGivenPostgres(given))
  return Promise.all([
    timed('PostgreSQL', starting),
    isWhole ? timed('demo', makeDemo) : undefined,
    timed('programs', installPrograms),
  ])
}

const [[postgres, demo, missing]] = await Promise.all([
  prepare(),
  inLanes(availableParallelism(), isWhole ? gates : []),
])
// One for all processes, which print it.
process.env[seedVariable] = String(seed)
process.env[addressVariable] = JSON.stringify(postgres.address)
process.env[seenVariable] = seenFile
process.env[statementsVariable] = statementsFile
if (isLong) process.env[effortVariable] = '20'
if (isWhole) process.env[sparingVariable] = 'yes'
if (demo !== undefined) process.env[demoVariable] = demo
try {
  await runTests(withoutMissing(await testFiles(), missing))
  if (isWhole) {
    const seen = await readFile(seenFile, 'utf8').catch(() => '')
    report('every declared status is seen by a test', unseenStatuses(new Set(seen.split('\n'))), 0)
  }
  const statements = readStatements(statementsFile)
  await check('rows are what their types say', () =>
    onTemplate(postgres.address, (db) => driftedRows(db, statements)),
  )
  await check('statements name the project of every row', () => unroutableStatements(statements, { isWhole }))
} finally {
  await postgres.stop()
  await rm(seenFile, { force: true })
  await rm(statementsFile, { force: true })
  if (demo !== undefined) await rm(demo, { recursive: true })
}
if (isWhole) printSpans()
if (failures.length > 0) console.log(`\n${failures.join('\n')}`)
if (left > 0) console.log(`\n${left} tests are ${leftOut}.`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)
