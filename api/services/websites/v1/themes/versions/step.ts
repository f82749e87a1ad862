import { audited } from '#api/audited.ts'
import { granted } from '#api/outcome.ts'
import type { Scope } from '#api/scope.ts'
import type { AuditKind } from '#audit/kinds.ts'
import type { Failure } from '#contract/failure.ts'
import type { Database } from '#database/connect.ts'
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

/** Takes a step that is in the audit log. */
export const auditedStep = <Code extends string, Call extends Request<Code> & Parameters<typeof audited>[0]>(
  call: Call,
  kind: AuditKind,
  take: (taken: Taken, db: Database) => Promise<{ version: Version } | { refusal: Code } | undefined>,
): Promise<{ version: Version } | undefined> =>
  audited(call, async ({ db, audit }) => {
    const taken = await step(call, (wanted) => take(wanted, db))
    const { projectId } = call
    if (taken) await audit({ kind, projectId, details: auditedVersion(taken.version) })
    return taken
  })

/** What the audit log says of a version. */
export const auditedVersion = ({
  version_id,
  theme_name,
  version,
}: Pick<Version, 'version_id' | 'theme_name' | 'version'>) => ({
  version_id,
  theme: `${theme_name} ${version}`,
})
