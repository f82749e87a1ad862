import { CallFailure } from '#contract/client.ts'
import type { Output } from '../../data/client.ts'
import { csvFile, saveFile } from '../../ui/csv.ts'
import { csvHead, csvRows } from './csv.ts'
import type { auditList } from './kinds.ts'

type ReadPage = (page: { limit: number; cursor: string | null }) => Promise<Output<typeof auditList>>

const rowsPerPage = 200

/** Saves all entries as a file, however many there are. The browser holds each page as a blob, which it may keep on the disk. */
export async function download(read: ReadPage): Promise<void> {
  const parts = [new Blob([csvHead])]
  let cursor: string | null = null
  do {
    const page: Output<typeof auditList> = await patiently(() => read({ limit: rowsPerPage, cursor }))
    parts.push(new Blob([csvRows(page.entries)]))
    cursor = page.next_cursor
  } while (cursor !== null)
  saveFile(csvFile(parts), 'audit-log.csv')
}

/** A long log reaches the limit of requests in a minute; it goes on when the service says so. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const seconds = error instanceof CallFailure ? error.refusal.retryAfterSeconds : undefined
    if (seconds === undefined) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return patiently(work)
  }
}
