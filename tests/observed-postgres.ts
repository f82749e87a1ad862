// Stands in for the driver in test processes (tools/test.ts preloads it) and notes every statement that the product runs, with the line
// that ran it and the columns that PostgreSQL described.
import { appendFileSync, readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'

/** The file that the statements of this test run go to; read by tools/test.ts. */
export const statementsVariable = 'CARDINAL_TEST_STATEMENTS'

export interface SeenStatement {
  /** The line that ran it, such as `boards/card/card.ts:56:42`, and its caller in another file. */
  at: string[]
  text: string
  /** `table` and `number` name the column of a table that it is read from; both are 0 for an expression. */
  columns: { name: string; type: number; table: number; number: number; wasNull: boolean }[]
}

type Sql = postgres.ISql<Record<never, never>>

interface Query {
  statement: { string: string; columns?: SeenStatement['columns'] | null }
  isRaw?: boolean
  handler(query: Query): void
  resolve(rows: Record<string, unknown>[]): void
}

const seen = new Map<string, SeenStatement>()
const timesSeen = new Map<string, number>()
/** A statement that runs very often tells nothing new, and reading stacks takes time. */
const enoughSightings = 100

/** Every test file may show new values of a statement. */
export const countAgain = () => timesSeen.clear()

const root = `${pathToFileURL(path.join(import.meta.dirname, '..'))}/`
const notCallers = /^(node_modules\/|tests\/observed-postgres\.ts|database\/(connect|replaceable-pool)\.ts)/

/** What all processes of a run have noted, each statement once. */
export function readStatements(from: string): SeenStatement[] {
  const all = new Map<string, SeenStatement>()
  for (const line of readFileSync(from, 'utf8').split('\n').filter(Boolean)) {
    const statement: SeenStatement = JSON.parse(line)
    const known = all.get(keyOf(statement)) ?? statement
    known.columns.forEach((column, index) => {
      column.wasNull ||= statement.columns[index]?.wasNull === true
    })
    all.set(keyOf(statement), known)
  }
  return [...all.values()]
}

const keyOf = ({ at, text }: { at: string[]; text: string }) => `${at}\n${text}`

/** A server that a test names by its URL is another one, whose tables have other numbers than the template's. */
export default function observedPostgres(...args: Parameters<typeof postgres>): Sql {
  const sql = postgres(...args)
  return typeof args[0] === 'string' ? sql : observed(sql)
}

const observed = (sql: Sql): Sql =>
  new Proxy(sql, {
    apply: (target, _this, args: Parameters<Sql>) => noted(target(...args)),
    get(target, name) {
      const member = Reflect.get(target, name)
      if (name === 'unsafe') return (...args: unknown[]) => noted(member(...args))
      if (name !== 'begin' && name !== 'savepoint') return member
      return (work: (inner: Sql) => unknown) => member((inner: Sql) => work(observed(inner)))
    },
  })

/** Parts of statements are never handled; a statement is, once or again after a lost connection. */
function noted<Built>(built: Built): Built {
  const query = built as Query
  if (!query.handler) return built
  const { handler } = query
  const place = new Error()
  query.handler = (handled) => {
    const { resolve } = query
    query.resolve = (rows) => {
      note(query, place, rows)
      resolve(rows)
    }
    handler(handled)
  }
  return built
}

function callersIn(stack: string): string[] {
  const frames = stack.matchAll(/file:\/\/[^)\n]+/g)
  const callers = Array.from(frames, ([frame]) => frame.replace(root, '')).filter(
    (frame) => !notCallers.test(frame),
  )
  const ofFiles = Map.groupBy(callers, (caller) => caller.replace(/:.*/, ''))
  return Array.from(ofFiles.values(), ([first]) => first as string).slice(0, 2)
}

function note(query: Query, place: Error, rows: Record<string, unknown>[]) {
  const { string: text, columns } = query.statement
  const sightings = (timesSeen.get(text) ?? 0) + 1
  timesSeen.set(text, sightings)
  if (sightings > enoughSightings) return
  const at = callersIn(place.stack ?? '')
  if (at[0] === undefined || /^(tests|bench)\/|\.test\.ts/.test(at[0])) return
  const key = keyOf({ at, text })
  const known = seen.get(key) ?? {
    at,
    text,
    columns: (columns ?? []).map(({ name, type, table, number }) => ({
      name,
      type,
      table,
      number,
      wasNull: false,
    })),
  }
  seen.set(key, known)
  if (query.isRaw) return
  for (const column of known.columns) column.wasNull ||= rows.some((row) => row[column.name] === null)
}

const file = process.env[statementsVariable]
if (file !== undefined) {
  const { url } = import.meta
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'postgres' && context.parentURL !== url
        ? { url, shortCircuit: true }
        : next(specifier, context),
  })
  process.on('exit', () => {
    appendFileSync(file, Array.from(seen.values(), (statement) => `${JSON.stringify(statement)}\n`).join(''))
  })
}
