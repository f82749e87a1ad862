import { type BoundedAudit, tenantName } from '#audit/bounded.ts'
import type { Description } from '#contract/operation.ts'
import type { Answered } from '#contract/router.ts'
import type { Caller } from '#identity/caller.ts'
import type { Log } from '../log.ts'
import { originOf } from './origin.ts'
import { type Target, targetOf } from './target.ts'

/** Counts each answer, writes its line of the log, and records refused access in the audit log. */
export const recordAnswers =
  (
    log: Log,
    audit: BoundedAudit,
    observe: (operation: string, status: number, milliseconds: number) => void,
  ) =>
  (answered: Answered<Caller>) => {
    const { operation, status, code, userId, requestId, milliseconds, unknown, error } = answered
    observe(operation?.path ?? 'unknown', status, milliseconds)
    const line = {
      requestId,
      userId,
      operation: operation?.path ?? unknown,
      status,
      code,
      milliseconds: Math.round(milliseconds * 10) / 10,
    }
    if (error) log.error({ ...line, error }, 'failed')
    else log.info(line, 'answered')
    const { caller } = answered
    // Refused sign-ins have no caller and are recorded with their reason.
    if (!caller || !operation || !code) return
    const refused = { ...answered, caller, path: operation.path, code }
    if (status === 403) recordRefusal(log, audit, { ...refused, on: operation.on })
    if (isUnconfirmed(code)) recordUnconfirmed(log, audit, refused)
  }

/** A signed-in person was asked for the password, a code or a passkey, and it was wrong, or too many were wrong before. */
const isUnconfirmed = (code: string) =>
  /^(password|current_password|code)_incorrect$/.test(code) ||
  ['too_many_attempts', 'passkey_not_accepted'].includes(code)

interface Refused extends Pick<Answered, 'address' | 'requestId'> {
  caller: Caller
  path: string
  code: string
}

function recordUnconfirmed(log: Log, audit: BoundedAudit, refused: Refused): void {
  const { caller, address, requestId, path, code } = refused
  const whose = { actor: `user ${caller.id}`, tenant: tenantName(caller.id, null) }
  void audit.record(whose, originOf({ http: { address, requestId }, caller, log }), {
    kind: 'reauthentication.failed',
    accountId: caller.id,
    details: { operation: path, code },
  })
}

interface RefusedAccess extends Refused, Pick<Answered, 'target' | 'asked'> {
  on?: Description['on']
}

/** Not awaited: the caller has their answer first. A person's own project shows it; a project that is not theirs does not. */
export function recordRefusal(log: Log, audit: BoundedAudit, refused: RefusedAccess): void {
  const { caller, address, requestId, path, code, on, asked } = refused
  const known = refused.target as Partial<Target> | undefined
  const target = { ...targetOf({ path, on }, asked?.() ?? {}, caller), ...known }
  const projectId = target.projectId ?? (caller.projectRole === null ? null : caller.projectId)
  const whose = { actor: `user ${caller.id}`, tenant: tenantName(caller.id, projectId) }
  void audit.record(whose, originOf({ http: { address, requestId }, caller, log }), {
    kind: 'access.refused',
    projectId,
    details: {
      operation: path,
      code,
      ...(target.kind !== undefined && { target: target.kind, target_id: target.id ?? null }),
    },
  })
}
