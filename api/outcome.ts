import type { Fail } from '#contract/operation.ts'

/** What a domain function answered; where it refused for the state of things, that is a 400 with its sentence. */
export function granted<Result extends object>(
  outcome: Result | { refusal: string },
  fail: Fail<400>,
): Result {
  if ('refusal' in outcome) throw fail(400, outcome.refusal)
  return outcome
}
