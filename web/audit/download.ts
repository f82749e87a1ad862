import type { Output } from '../data/client.ts'
import { saveAllPages } from '../data/save-all-pages.ts'
import { csvHead, csvRows } from './csv.ts'
import type { auditList } from './kinds.ts'

type ReadPage = (page: { limit: number; cursor: string | null }) => Promise<Output<typeof auditList>>

/** Saves all entries as a file. */
export const download = (read: ReadPage): Promise<void> =>
  saveAllPages(read, { name: 'audit-log.csv', head: csvHead, rows: ({ entries }) => csvRows(entries) })
