import type { Fail } from '#contract/failure.ts'
import { list, optional, text } from '#contract/schema.ts'
import { isToolKey } from '#projects/tools.ts'
import { noProduct, unknownProduct, unknownProductIn } from '../known-products.ts'

/** The input field with the products of a new project. */
export const toolKeys = optional(list(text({ max: 100 }), { max: 100 }))

export const badToolKeys = {
  tool_keys: {
    not_a_key: 'The :attribute field must have keys of products, such as shop.',
    ...unknownProduct,
  },
} as const

export function checkToolKeys({
  input: { tool_keys: keys },
  fail,
}: {
  input: { tool_keys?: string[] | null }
  fail: Fail<{ 422: typeof badToolKeys }>
}): void {
  if (!(keys ?? []).every(isToolKey)) throw fail(422, { tool_keys: 'not_a_key' })
}

/** Refuses keys that no product has. */
export async function refuseUnknown({
  input: { tool_keys: keys },
  fail,
  ...of
}: Parameters<typeof unknownProductIn>[0] & Parameters<typeof checkToolKeys>[0]): Promise<void> {
  const unknown = await unknownProductIn(of, keys ?? [])
  if (unknown !== undefined) throw fail(422, { tool_keys: noProduct(unknown) })
}
