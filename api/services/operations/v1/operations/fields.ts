// The fields that boards, groups, cards and tags, and their masters, are given alike.
import type { Fail } from '#contract/operation.ts'
import { html, optional, text } from '#contract/schema.ts'
import { cleanHtml, longestCleanBytes } from '#text/clean-html.ts'

export const title = text({ max: 255 })
/** Absent or null leaves the one there is; empty is none. */
export const optionalTitle = optional(text({ min: 1, max: 255 }))
export const description = optional(html())
export const color = optional(text({ max: 50 }))
export const icon = optional(text({ max: 100 }))
export const toolKey = optional(text({ max: 100 }))

/** The same fields with the description as it is stored. */
export const cleaned = <Given extends { description?: string | null }>(
  fields: Given,
  fail: Fail<422>,
): Given =>
  fields.description ? { ...fields, description: cleanDescription(fields.description, fail) } : fields

/** Far more than a person writes: cleaning blocks everyone, and its time grows faster than the number of tags (18 ms at this one). */
const mostTags = 5000

/**
 * Escaping can make a description five times as long; what is stored stays within what may be sent again. What is left is text
 * like any other: trimmed, and null where that leaves nothing.
 */
function cleanDescription(given: string, fail: Fail<422>): string | null {
  const tags = given.split('<').length - 1
  if (tags > mostTags) throw fail(422, { description: ['The description field has too much markup.'] })
  const clean = cleanHtml(given).trim()
  if (Buffer.byteLength(clean) <= longestCleanBytes) return clean || null
  throw fail(422, { description: ['The description field must not be greater than 64 kilobytes.'] })
}
