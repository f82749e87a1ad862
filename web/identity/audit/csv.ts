import type { AuditEntry } from './kinds.ts'

const columns = [
  'at',
  'kind',
  'actor_name',
  'actor_email',
  'account_name',
  'account_email',
  'project_id',
  'project_name',
  'address',
  'source',
  'request_id',
] as const satisfies (keyof AuditEntry)[]

/** The first row of a file for spreadsheets. Without the mark at its beginning, Excel does not read UTF-8. */
export const csvHead = `\ufeff${rowOf([...columns, 'details'])}`

export const csvRows = (entries: readonly AuditEntry[]): string =>
  entries
    .map((entry) =>
      rowOf([...columns.map((column) => String(entry[column] ?? '')), JSON.stringify(entry.details)]),
    )
    .join('')

function rowOf(cells: readonly string[]): string {
  return `${cells.map(cellOf).join(',')}\r\n`
}

/**
 * A spreadsheet would run a text that begins like a formula; people choose their names and strangers the addresses they try. In some
 * countries semicolons or tabs separate cells, and quotes in the middle of a line do not hold them together.
 */
function cellOf(text: string): string {
  const isFormula = /^[\s"]*[=+\-@＝＋－＠]/
  const parts = text.split(/(?<=[;\t\r\n])/)
  const safe = parts.map((part) => (isFormula.test(part) ? `'${part}` : part)).join('')
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
