import type { Call } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import type { Scope } from '#api/scope.ts'
import type { Step, Taken } from '#themes/version/step.ts'
import type { Version } from '#themes/version/version.ts'

/** Takes a step and answers the version; 400 where its state forbids it. */
export async function step(
  { input: { version_id: id }, caller, projectId, fail }: Call<{ version_id: number }, 400> & Scope,
  take: (taken: Taken) => Promise<Step>,
): Promise<{ version: Version } | undefined> {
  const outcome = await take({ projectId, id, actorId: caller.id })
  return outcome && granted(outcome, fail)
}
