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

/** The entries as a file for spreadsheets, with a row of names. */
export const csvOf = (entries: readonly AuditEntry[]): string =>
  [
    [...columns, 'details'],
    ...entries.map((entry) => [
      ...columns.map((column) => String(entry[column] ?? '')),
      JSON.stringify(entry.details),
    ]),
  ]
    .map((row) => `${row.map(cellOf).join(',')}\r\n`)
    .join('')

/** A spreadsheet would run a text that begins like a formula; people choose their names and strangers the addresses they try. */
function cellOf(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
