// The fields that boards, groups, cards, tags and their masters have in common.
import type { Services } from '#api/operation.ts'
import { groupTypes } from '#boards/group/group-types.ts'
import type { Fail } from '#contract/failure.ts'
import { optional, text } from '#contract/schema.ts'
import { colors } from '#text/colors.ts'
import { icons } from '#text/icons.ts'

export const title = text({ max: 255 })
/** Absent or null leaves the title unchanged; an empty one fails. */
export const optionalTitle = optional(text({ min: 1, max: 255 }))
export const description = optional(
  text({ about: 'Plain text, which is returned unchanged, or HTML of at most 64 KiB, which is cleaned.' }),
)
export const color = optional(
  text({ max: 50, about: `Shown as ${colors.join(', ')}; any other word as gray.` }),
)
export const icon = optional(
  text({ max: 100, about: `Drawn in the web app: ${icons.join(', ')}; any other name as a neutral sign.` }),
)
export const groupType = optional(
  text({
    max: 50,
    about: `${groupTypes.join(', ')}, or any other text. Cards that are moved into a group of type done are closed, if its board says so`,
  }),
)
export const toolKey = optional(text({ max: 100 }))

/** Declared by operations that take a description. */
export const badDescription = {
  too_much_markup: 'The :attribute field has too much markup.',
  too_long: 'The :attribute field must not be greater than 64 kilobytes.',
} as const

interface Reading {
  readDescription: Services['readDescription']
  fail: Fail<{ 422: { description: typeof badDescription } }>
}

/** The check of operations that take a description. */
export const checkDescription = async ({
  input,
  ...reading
}: Reading & { input: { description?: string | null } }): Promise<void> => {
  await cleaned(input, reading)
}

/** The same fields with the description as it is stored. */
export async function cleaned<Given extends { description?: string | null }>(
  fields: Given,
  { readDescription, fail }: Reading,
): Promise<Given> {
  if (!fields.description) return fields
  const read = await readDescription(fields.description)
  if ('problem' in read) throw fail(422, { description: read.problem })
  // Like any other text: null if nothing is left.
  return { ...fields, description: read.text || null }
}
