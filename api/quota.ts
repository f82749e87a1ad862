import type { Fail } from '#contract/operation.ts'
import { type Quota, reachedQuota } from '#quotas/quotas.ts'

/** `.catch(refusedOn(fail, 'group_id'))`: a limit that work meets is told as 422 on the field that made it grow. */
export const refusedOn =
  (fail: Fail<422>, field: string | ((quota: Quota) => string)) =>
  (error: unknown): never => {
    const reached = reachedQuota(error)
    if (!reached) throw error
    const name = typeof field === 'string' ? field : field(reached.quota)
    throw fail(422, { [name]: [reached.sentence] })
  }

/** The same where no field made it grow, such as for what is restored. */
export const refusedByState =
  (fail: Fail<400>) =>
  (error: unknown): never => {
    const reached = reachedQuota(error)
    throw reached ? fail(400, reached.sentence) : error
  }

/** The field whose text is the longest: shortening it makes the most room. */
export function longestField(fields: Readonly<Record<string, unknown>>): string {
  const texts = Object.entries(fields).filter((entry) => typeof entry[1] === 'string') as [string, string][]
  return texts.toSorted((a, b) => b[1].length - a[1].length)[0]?.[0] ?? 'description'
}
