import type { Call } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { inProjectOf } from '#identity/in-project.ts'
import type { Step, Taken } from '#themes/version/step.ts'
import type { Version } from '#themes/version/version.ts'

/** Takes a step in the version's own project and answers the version; 400 where its state forbids it. */
export async function step(
  { input: { version_id: id }, caller, db, fail }: Call<{ version_id: number }, 400 | 403 | 404>,
  take: (taken: Taken) => Promise<Step>,
): Promise<Version> {
  const question = { db, caller, permission: 'manage themes', kind: 'theme_versions', id } as const
  const outcome = await inProjectOf(question, fail, ({ projectId }) =>
    take({ projectId, id, actorId: caller.id }),
  )
  return granted(outcome, fail).version
}
