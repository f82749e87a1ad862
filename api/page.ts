import type { Fail } from '#contract/failure.ts'
import { integer, nullable, optional, text } from '#contract/schema.ts'

/** The input fields of every list with pages. */
export const pageInput = {
  cursor: optional(text({ max: 100 })),
  limit: optional(integer({ min: 1, max: 200 })),
}

export const badCursor = { cursor: { not_valid: 'The selected :attribute is invalid.' } } as const

export const pageOutput = {
  next_cursor: nullable(text({ about: 'The `cursor` of the next page; null on the last.' })),
}

export const usualLimit = 50

interface Page {
  /** The id after which the page begins; null for the first page. */
  after: number | null
  limit: number
}

export function readPage(
  input: { cursor?: string | null; limit?: number | null },
  fail: Fail<{ 422: typeof badCursor }>,
): Page {
  const { cursor = null, limit } = input
  const after = cursor === null ? null : Number(cursor)
  if (cursor !== null && !(/^\d+$/.test(cursor) && Number.isSafeInteger(after)))
    throw fail(422, { cursor: 'not_valid' })
  return { after, limit: limit ?? usualLimit }
}

/** For lists that never split rows of one timestamp across pages, so a page may exceed the limit. */
export const pageOfMoments = <Row extends { id: number }>(rows: Row[], limit: number) => ({
  rows,
  next_cursor: rows.length < limit ? null : String(rows.at(-1)?.id),
})

/** The rows include one more than the page, which shows whether there are others. */
export function pageOf<Row extends { id: number }>(
  rows: Row[],
  limit: number,
): { rows: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit)
  return { rows: page, next_cursor: rows.length > limit ? String(page.at(-1)?.id) : null }
}
