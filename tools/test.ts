// `npm test`: types, lint and format, generated files, then every test file except the long ones. `npm run long`: the long files
// (`*.long.*`), and the random tests with more cases. What failed is said once more at the end; the last line is `N passed, N failed`.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { glob, readFile, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { run } from 'node:test'
import { promisify } from 'node:util'
import { effortVariable } from '#tests/effort.ts'
import { seenVariable } from '#tests/observed-fetch.ts'
import { readStatements, statementsVariable } from '#tests/observed-postgres.ts'
import { addressVariable, onTemplate, startTestPostgres } from '#tests/postgres.ts'
import { buildWeb } from './build-web.ts'
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
  const outcome = await promisify(execFile)(file, args, { cwd: root, maxBuffer: 1e8 }).then(
    () => undefined,
    (error) => `${error.stdout}${error.stderr}`,
  )
  report(name, outcome, performance.now() - startedAt)
}

async function check(name: string, problemOf: () => Promise<string | undefined>) {
  const startedAt = performance.now()
  const problem = await problemOf()
  report(name, problem, performance.now() - startedAt)
}

/** Skips tests whose program is missing, with a warning; under CI that is a failure. */
async function programsOrLessTests(files: string[]): Promise<string[]> {
  const missing = await installPrograms()
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
  return mixed(names.filter(isLong ? isForLong : (name) => !isLongFile(name))).map((name) =>
    path.join(root, name),
  )
}

const isLongFile = (name: string) => name.includes('.long.')

/** The random tests take their number of cases from tests/effort.ts. */
const isForLong = (name: string) =>
  isLongFile(name) || readFileSync(path.join(root, name), 'utf8').includes(`'#tests/effort.ts'`)

/** Browser tests keep the processor busy and others mostly wait, so both kinds are spread evenly over the run. */
function mixed(names: string[]): string[] {
  const kinds = Map.groupBy(names, (name) => name.endsWith('.chromium.test.ts'))
  const placed = [...kinds.values()].flatMap((kind) =>
    kind.map((name, index) => ({ name, place: index / kind.length })),
  )
  return placed.sort((a, b) => a.place - b.place).map(({ name }) => name)
}

async function runTests(files: string[]) {
  const stream = run({
    files,
    cwd: root,
    // One more than there are cores, because many tests wait: for processes, time-outs or a page.
    concurrency: availableParallelism() + 1,
    timeout: isLong ? 3_600_000 : 180_000,
    execArgv: ['--import', path.join(root, 'tests/observed-postgres.ts')],
  })
  for await (const event of stream) {
    if (event.type === 'test:stdout' || event.type === 'test:stderr') process.stdout.write(event.data.message)
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const { name, details, file } = event.data
    // A file counts by its tests, and by itself only if it fails outside of them.
    if (details.type === 'suite' || (event.type === 'test:pass' && name === file)) continue
    const error =
      event.type === 'test:fail' ? (event.data.details.error.cause ?? event.data.details.error) : undefined
    const problem = error === undefined ? undefined : String((error as Error).stack ?? error)
    const from = path.relative(root, file ?? '').replace(/\.test\.ts$/, '')
    report(name === file ? from : `${from}: ${name}`, problem, details.duration_ms)
  }
}

// The test processes share compiled TypeScript.
process.env['NODE_COMPILE_CACHE'] ??= path.join(root, `node_modules/.cache/cardinal-${process.getuid?.()}`)

const seenFile = path.join(tmpdir(), `cardinal-seen-${process.pid}`)
const statementsFile = path.join(tmpdir(), `cardinal-statements-${process.pid}`)
await buildWeb()
const postgres = await startTestPostgres()
process.env[addressVariable] = JSON.stringify(postgres.address)
process.env[seenVariable] = seenFile
process.env[statementsVariable] = statementsFile
if (isLong) process.env[effortVariable] = '20'
try {
  if (isWhole)
    await Promise.all([
      command('types', 'tsc', '--noEmit'),
      command('types of the web app', 'tsc', '--noEmit', '--project', 'web'),
      command('types of its tests', 'tsc', '--noEmit', '--project', 'web/tsconfig.tests.json'),
      command('lint and format', 'biome', 'check', '--error-on-warnings', '.'),
      command('generated files', process.execPath, 'tools/generate.ts', '--check'),
    ])
  await runTests(await programsOrLessTests(await testFiles()))
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
}
if (failures.length > 0) console.log(`\n${failures.join('\n')}`)
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exit(failures.length > 0 || passed === 0 ? 1 : 0)
