// What the operations that save an audience share.
import { notFound, notFoundIn, taken } from '#api/failures.ts'
import type { Fail } from '#contract/failure.ts'
import type { Audience, Missing } from '#fleet/audience.ts'

/** Declared by operations that save an audience. */
export const notSaved = {
  name: taken,
  template_id: notFound,
  template_version: notFound,
  version_id: notFound,
  project_ids: notFound,
} as const

/** Turns the outcome into an answer. */
export function saved(
  outcome: Audience | 'name taken' | { missing: Missing },
  fail: Fail<{ 422: typeof notSaved }>,
): { audience: Audience } {
  if (outcome === 'name taken') throw fail(422, { name: 'taken' })
  if ('missing' in outcome) throw fail(422, notFoundIn(outcome.missing))
  return { audience: outcome }
}
