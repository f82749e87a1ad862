import type { Fail } from '#contract/operation.ts'
import { type Quota, reachedQuota } from '#quotas/quotas.ts'

/** `.catch(refusedOn(fail, 'group_id'))`: an exceeded limit becomes a 422 on the field that caused it. */
export const refusedOn =
  (fail: Fail<422>, field: string | ((quota: Quota) => string)) =>
  (error: unknown): never => {
    const reached = reachedQuota(error)
    if (!reached) throw error
    const name = typeof field === 'string' ? field : field(reached.quota)
    throw fail(422, { [name]: [reached.sentence] })
  }

/** The same as a 400, if no field caused it, such as in a restore. */
export const refusedByState =
  (fail: Fail<400>) =>
  (error: unknown): never => {
    const reached = reachedQuota(error)
    throw reached ? fail(400, reached.sentence) : error
  }

/** The field with the longest text, which makes the most room when shortened. */
export function longestField(fields: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(fields).filter((entry) => typeof entry[1] === 'string') as [string, string][]
  return texts.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? 'description'
}
