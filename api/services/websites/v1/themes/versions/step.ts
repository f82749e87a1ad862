import { granted } from '#api/outcome.ts'
import type { Scope } from '#api/scope.ts'
import type { Failure } from '#contract/failure.ts'
import type { Taken } from '#themes/version/step.ts'
import type { Version } from '#themes/version/version.ts'

interface Request<Code> extends Scope {
  input: { version_id: number }
  fail(status: 400, code: Code): Failure
}

/** Takes a step and returns the version; 400 if its state forbids the step. */
export async function step<Code extends string>(
  { input: { version_id: id }, caller, projectId, fail }: Request<Code>,
  take: (taken: Taken) => Promise<{ version: Version } | { refusal: Code } | undefined>,
): Promise<{ version: Version } | undefined> {
  const outcome = await take({ projectId, id, actorId: caller.id })
  return outcome && granted(outcome, fail)
}
