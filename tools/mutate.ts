// `npm run mutate`: changes the pure modules in small ways, one at a time, and counts how many of the changes their tests notice.
// `npm run mutate -- roles html` does so for some of them.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Not in package.json: 110 packages that only this command needs. */
const stryker = '@stryker-mutator/core@10.1.1'
const leastScore = 80

interface Part {
  files: string[]
  /** None of them needs PostgreSQL. */
  tests: string[]
  /** Tests that take too long to run for each change, by name. */
  slow?: string
  /** Reported only. */
  isSample?: true
}

const testsOfHtml = {
  tests: ['text/description.test.ts'],
  slow: 'any text at all|64 KiB|only HTML has a limit',
}

const parts: Record<string, Part> = {
  validation: {
    files: ['contract/validate.ts', 'contract/timestamp.ts'],
    tests: ['contract/validate.test.ts', 'contract/timestamp.test.ts'],
  },
  bodies: { files: ['contract/bodies.ts'], tests: ['contract/bodies.test.ts'] },
  schema: { files: ['contract/schema.ts'], tests: ['contract/schema.test.ts'] },
  roles: { files: ['identity/roles.ts'], tests: ['identity/roles.test.ts'] },
  billing: { files: ['billing/state.ts'], tests: ['billing/state.test.ts'] },
  themes: { files: ['themes/version/lifecycle.ts'], tests: ['themes/version/lifecycle.test.ts'] },
  merge: { files: ['templates/rules.ts'], tests: ['templates/rules.test.ts'] },
  excerpts: {
    files: ['text/excerpt.ts', 'text/check-digits.ts'],
    tests: ['text/excerpt.test.ts', 'billing/reference.test.ts'],
  },
  html: {
    files: ['text/clean-html.ts', 'text/unwrapping.ts', 'text/write-html.ts', 'text/description.ts'],
    ...testsOfHtml,
  },
  markup: {
    files: [
      'text/markup.ts',
      'text/named-tags.ts',
      'text/tag-patterns.ts',
      'text/elements.ts',
      'text/foreign-elements.ts',
      'text/allowed-html.ts',
    ],
    ...testsOfHtml,
  },
  limits: {
    files: ['contract/body-limits.ts', 'contract/rate-limit.ts', 'contract/pace.ts'],
    tests: ['contract/body-limits.test.ts', 'contract/rate-limit.test.ts', 'contract/pace.test.ts'],
    isSample: true,
  },
  queue: { files: ['database/fair-queue.ts'], tests: ['database/fair-queue.test.ts'], isSample: true },
  passwords: {
    files: ['identity/weak-password.ts'],
    tests: ['identity/weak-password.test.ts'],
    isSample: true,
  },
}

/** A reporter that ends the tests when one has failed, because one is enough to notice a change. */
const untilFailure =
  'data:text/javascript,export default async function* (events) ' +
  "{ for await (const { type } of events) if (type === 'test:fail') process.exit(1) }"

interface Mutant {
  status: string
  mutatorName: string
  replacement?: string
  location: { start: { line: number; column: number } }
}

interface Score {
  changes: number
  noticed: number
  /** Noticed because the tests did not end. */
  timedOut: number
}

async function mutate(name: string, { files, tests, slow }: Part): Promise<Score> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cardinal-mutate-'))
  const report = path.join(directory, 'report.json')
  const settings = path.join(directory, 'stryker.json')
  const skipped = slow ? `--test-skip-pattern="${slow}"` : ''
  const command = `node --test --test-isolation=none --test-reporter="${untilFailure}" ${skipped} ${tests.join(' ')}`
  await writeFile(
    settings,
    JSON.stringify({
      mutate: files,
      testRunner: 'command',
      commandRunner: { command },
      coverageAnalysis: 'off',
      ignorePatterns: ['tsconfig.json', 'web', 'bench', 'docs/images', 'artifacts', '.cardinal'],
      tempDirName: `.stryker-tmp/${name}`,
      cleanTempDir: 'always',
      reporters: ['json'],
      jsonReporter: { fileName: report },
      timeoutMS: 10_000,
      allowConsoleColors: false,
    }),
  )
  const child = spawn('npx', ['--yes', `--package=${stryker}`, '--', 'stryker', 'run', settings], {
    stdio: 'inherit',
    env: {
      ...process.env,
      // Few random cases, always the same.
      CARDINAL_TEST_EFFORT: '0.02',
      CARDINAL_TEST_SEED: '1',
      // The tests start once per change, most of the time with the same files.
      NODE_COMPILE_CACHE: path.join(directory, 'compiled'),
    },
  })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`Stryker ended with ${code} for ${name}`)
  const { files: found }: { files: Record<string, { mutants: Mutant[] }> } = JSON.parse(
    await readFile(report, 'utf8'),
  )
  await rm(directory, { recursive: true })
  const score: Score = { changes: 0, noticed: 0, timedOut: 0 }
  for (const [file, { mutants }] of Object.entries(found))
    for (const { status, mutatorName, replacement, location } of mutants) {
      if (status === 'Ignored' || status === 'CompileError') continue
      score.changes++
      if (status === 'Timeout') score.timedOut++
      if (status === 'Killed' || status === 'Timeout' || status === 'RuntimeError') score.noticed++
      else
        console.log(`${file}:${location.start.line}:${location.start.column} ${mutatorName} ${replacement}`)
    }
  return score
}

const named = process.argv.slice(2)
const unknown = named.find((name) => !(name in parts))
if (unknown) throw new Error(`There is no ${unknown}; there are ${Object.keys(parts).join(', ')}.`)
const lines: string[] = []
for (const [name, part] of Object.entries(parts)) {
  if (named.length > 0 && !named.includes(name)) continue
  const { changes, noticed, timedOut } = await mutate(name, part)
  const percent = (100 * noticed) / changes
  const isLow = !part.isSample && percent < leastScore
  if (isLow) process.exitCode = 1
  lines.push(
    `${isLow ? '✖' : '✔'} ${name}: ${percent.toFixed(1)} % of ${changes} changes` +
      `${timedOut > 0 ? `, ${timedOut} of them by a timeout` : ''}${part.isSample ? ' (sample)' : ''}`,
  )
}
console.log(lines.join('\n'))
