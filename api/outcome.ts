import type { Fail } from '#contract/operation.ts'

/** Returns the result of a domain function, or fails with 400 and its sentence if it refused. */
export function granted<Result extends object>(
  outcome: Result | { refusal: string },
  fail: Fail<400>,
): Result {
  if ('refusal' in outcome) throw fail(400, outcome.refusal)
  return outcome
}
