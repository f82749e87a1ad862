import type { Entry } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { type AuditedRollout, auditedRollout } from '#rollouts/rollout.ts'
import type { Started } from '#rollouts/starting.ts'

type RolloutEntry = Extract<Entry['kind'], `rollout.${string}`>

interface Audit {
  audit(entry: Entry): Promise<void>
}

/** Writes the entry of the audit log about a rollout. */
export async function auditRollout(
  { db, audit }: Audit & { db: Queries },
  kind: RolloutEntry,
  rolloutId: number,
): Promise<void> {
  const found = await auditedRollout(db, rolloutId)
  if (found) await audit(entryOf(kind, found))
}

/** The same about a rollout or a plan that this call starts. */
export const auditStarted = (
  { audit }: Audit,
  kind: 'rollout.planned' | 'rollout.started',
  { audited }: Started,
): Promise<void> => audit(entryOf(kind, audited))

function entryOf(kind: RolloutEntry, found: AuditedRollout): Entry {
  const isRevert = kind === 'rollout.started' && found.details['rollout_kind'] === 'revert'
  return { kind: isRevert ? 'rollout.reverted' : kind, ...found }
}
