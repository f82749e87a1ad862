import type { Failure } from '#contract/failure.ts'

/** Returns the result of a domain function, or fails with 400 and its code if it refused. */
export function granted<Result extends object, Code extends string>(
  outcome: Result | { refusal: Code },
  fail: (status: 400, code: Code) => Failure,
): Result {
  if ('refusal' in outcome) throw fail(400, outcome.refusal)
  return outcome
}
