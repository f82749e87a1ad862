import { CallFailure } from '#contract/client.ts'
import { csvFile, saveFile } from '../ui/csv.ts'

const rowsPerPage = 200

interface File<Page> {
  name: string
  head: string
  rows(page: Page): string
}

/** Saves all pages of a list as a file, however many there are. The browser holds each page as a blob, which it may keep on the disk. */
export async function saveAllPages<Page extends { next_cursor: string | null }>(
  read: (page: { limit: number; cursor: string | null }) => Promise<Page>,
  { name, head, rows }: File<Page>,
): Promise<void> {
  const parts = [new Blob([head])]
  let cursor: string | null = null
  do {
    const page: Page = await patiently(() => read({ limit: rowsPerPage, cursor }))
    parts.push(new Blob([rows(page)]))
    cursor = page.next_cursor
  } while (cursor !== null)
  saveFile(csvFile(parts), name)
}

/** A long list reaches the limit of requests in a minute; it goes on when the service says so. */
export async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    const seconds = error instanceof CallFailure ? error.refusal.retryAfterSeconds : undefined
    if (seconds === undefined) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    return patiently(work)
  }
}
