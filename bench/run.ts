// `npm run bench`: compares the service with the best that the machine can do, row by row. Arguments select rows by name, and
// `-- --long` adds rows that take many minutes.
import { type Result, resultOf, save, summary, table } from './report.ts'
import type { Row } from './row.ts'
import { evaluationsRows } from './rows/evaluations.ts'
import { fairnessRows } from './rows/fairness.ts'
import { fleetRows } from './rows/fleet.ts'
import { identityRows } from './rows/identity.ts'
import { inboxRows } from './rows/inbox.ts'
import { killsRows } from './rows/kills.ts'
import { memoryRows } from './rows/memory.ts'
import { operationsRows } from './rows/operations.ts'
import { templatesRows } from './rows/templates.ts'
import { webRows } from './rows/web.ts'
import { type Service, startService } from './service.ts'

// Memory comes first, because the service is idle only before the other rows.
const allRows: Row[] = [
  ...memoryRows,
  ...identityRows,
  ...operationsRows,
  ...inboxRows,
  ...webRows,
  ...templatesRows,
  ...fleetRows,
  ...evaluationsRows,
  ...fairnessRows,
  ...killsRows,
]

const isLongRun = process.argv.includes('--long')
const words = process.argv.slice(2).filter((word) => word !== '--long')
const rows = allRows
  .filter(({ isLong }) => isLongRun || !isLong)
  .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))

if (rows.length === 0) {
  console.error(`No row is named so. There are:\n${allRows.map(({ name }) => `  ${name}`).join('\n')}`)
  process.exit(1)
}

const startedAt = performance.now()
const toUndo = new AsyncDisposableStack()
let undoing: Promise<void> | undefined
/** Runs once; rows that fail because of Ctrl-C wait here until the signal has ended the process. */
const undo = () => {
  undoing ??= toUndo.disposeAsync()
  return undoing
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => void undo().finally(() => process.exit(130)))

const results: Result[] = []
try {
  const service = await startService(toUndo)
  for (const row of rows) {
    console.log(`measuring ${row.name}`)
    results.push(await measure(row, service))
  }
} finally {
  await undo()
}
const seconds = (performance.now() - startedAt) / 1000
console.log(
  `\n${table(results)}\n\n${summary(results)} in ${seconds.toFixed(0)} s; ${await save(results, seconds)}`,
)
// A missed target is reported; a row without figures is an error.
process.exitCode = results.some(({ problem }) => problem !== undefined) ? 1 : 0

async function measure(row: Row, service: Service): Promise<Result> {
  const ofRow = toUndo.use(new AsyncDisposableStack())
  try {
    return resultOf(row, await row.measure({ service, toUndo: ofRow }))
  } catch (error) {
    // After Ctrl-C everything fails, which is not the row's problem.
    if (toUndo.disposed) throw error
    return resultOf(row, error as Error)
  } finally {
    await ofRow.disposeAsync()
  }
}
