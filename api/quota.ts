import type { Failure } from '#contract/failure.ts'
import type { Sentence } from '#contract/speech.ts'
import { type Quota, quotaSentence, reachedQuota } from '#quotas/quotas.ts'

/** Declared by operations that can exceed a limit: as a 422 on the field that causes it, or as a 400 if no field does. */
export const limitReached = {
  limit_reached: 'The project or template has reached a limit; the message says which.',
} as const

/** An exceeded limit of bytes is reported on the longest text, which can be any of these fields. */
export const limitOn = <Field extends string>(...fields: Field[]) =>
  Object.fromEntries(fields.map((field) => [field, limitReached])) as Record<Field, typeof limitReached>

/** `.catch(onLimit((limit) => fail(422, { group_id: limit })))`: turns an exceeded limit into a refusal that names it. */
export const onLimit =
  (refuse: (limit: readonly ['limit_reached', sentence: Sentence], quota: Quota) => Failure) =>
  (error: unknown): never => {
    const reached = reachedQuota(error)
    if (!reached) throw error
    throw refuse(['limit_reached', quotaSentence(reached)], reached.quota)
  }

/** The field with the longest text, which makes the most room when shortened. */
export function longestField(fields: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(fields).filter((entry) => typeof entry[1] === 'string') as [string, string][]
  return texts.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? 'description'
}
