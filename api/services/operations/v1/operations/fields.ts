// The fields that boards, groups, cards and tags, and their masters, are given alike.
import type { Services } from '#api/operation.ts'
import type { Fail, FieldErrors } from '#contract/operation.ts'
import { optional, text } from '#contract/schema.ts'
import { colors } from '#text/colors.ts'

export const title = text({ max: 255 })
/** Absent or null leaves the one there is; empty is none. */
export const optionalTitle = optional(text({ min: 1, max: 255 }))
export const description = optional(
  text({ about: 'Plain text, which comes back as it is, or HTML of at most 64 KiB, which is cleaned' }),
)
export const color = optional(
  text({ max: 50, about: `Shown as ${colors.join(', ')}; any other word as grey` }),
)
export const icon = optional(text({ max: 100 }))
export const toolKey = optional(text({ max: 100 }))

/** The errors of fields that name nothing that they could name. */
export const invalid = (...names: string[]): FieldErrors =>
  Object.fromEntries(names.map((name) => [name, [`The selected ${name.replaceAll('_', ' ')} is invalid.`]]))

/** The same fields with the description as it is stored. */
export async function cleaned<Given extends { description?: string | null }>(
  fields: Given,
  { readDescription, fail }: { readDescription: Services['readDescription']; fail: Fail<422> },
): Promise<Given> {
  if (!fields.description) return fields
  const read = await readDescription(fields.description)
  if ('problem' in read) throw fail(422, { description: [`The description field ${read.problem}.`] })
  // Text like any other: null where nothing is left.
  return { ...fields, description: read.text || null }
}
