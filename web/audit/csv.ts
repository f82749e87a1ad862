import { csvMark, csvRow } from '../ui/csv.ts'
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

/** The first row of a file for spreadsheets. */
export const csvHead = csvMark + csvRow([...columns, 'details'])

export const csvRows = (entries: readonly AuditEntry[]): string =>
  entries
    .map((entry) =>
      csvRow([...columns.map((column) => String(entry[column] ?? '')), JSON.stringify(entry.details)]),
    )
    .join('')
