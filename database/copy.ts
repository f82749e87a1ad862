// Rows of whole tables as text, in PostgreSQL's COPY format: one line for each row. Used by backup/.
import { once } from 'node:events'
import type { Queries } from './connect.ts'
import { eachStatement, type Statement } from './replaceable-pool.ts'

/** A table and the columns that have to be stored; PostgreSQL computes the others. */
export interface CopiedTable {
  name: string
  columns: string[]
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

export const columnsOf = ({ columns }: CopiedTable) => columns.map(quoted).join(', ')

/** Makes values the same text on every server, for the rest of a transaction that may take long and pause. */
export async function prepareCopy({ sql }: Queries): Promise<void> {
  await sql.unsafe(`
    set local datestyle = 'ISO';
    set local intervalstyle = 'postgres';
    set local bytea_output = 'hex';
    set local extra_float_digits = 1;
    set local idle_in_transaction_session_timeout = 0`)
}

export async function* copyOut({ sql }: Queries, table: CopiedTable): AsyncGenerator<Buffer> {
  // A query, because COPY itself refuses tables with partitions.
  const statement = `copy (select ${columnsOf(table)} from ${quoted(table.name)}) to stdout`
  const stream = await sql.unsafe(statement).readable()
  const lines: AsyncIterator<Buffer> = stream[Symbol.asyncIterator]()
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) yield next.value
  } finally {
    // Before the last row the connection can do nothing else, not even end, so rows that nobody wants are read too.
    while (!(await lines.next()).done);
    // The driver (3.4.9) may have paused the connection just before the end, and would not go on by itself.
    if (!stream.errored) stream._read(0)
  }
}

export async function copyIn({ sql }: Queries, table: CopiedTable, rows: AsyncIterable<Buffer>) {
  const { promise: failure, reject: fail } = Promise.withResolvers<never>()
  failure.catch(() => {})
  const watched = eachStatement(sql, (statement) => onFailure(statement, fail))
  const stream = await watched
    .unsafe(`copy ${quoted(table.name)} (${columnsOf(table)}) from stdin`)
    .writable()
  const finished = once(stream, 'finish')
  finished.catch(() => {})
  try {
    for await (const lines of rows)
      if (!stream.write(lines)) await Promise.race([once(stream, 'drain'), failure])
    stream.end()
    await Promise.race([finished, failure])
  } catch (error) {
    stream.destroy(error as Error)
    throw error
  }
}

/** Calls back if a statement fails after it has become a stream, which the driver tells the stream only before the last row. */
function onFailure(statement: Statement, fail: (error: unknown) => void): void {
  const { reject } = statement
  statement.reject = (error) => {
    fail(error)
    reject(error)
  }
}
