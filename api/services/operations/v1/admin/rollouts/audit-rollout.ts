import type { Entry } from '#audit/record.ts'
import type { Queries } from '#database/connect.ts'
import { auditedRollout } from '#rollouts/rollout.ts'

type RolloutEntry = Extract<Entry['kind'], `rollout.${string}`>

/** Writes the entry of the audit log about a rollout. */
export async function auditRollout(
  { db, audit }: { db: Queries; audit(entry: Entry): Promise<void> },
  kind: RolloutEntry,
  rolloutId: number,
): Promise<void> {
  const found = await auditedRollout(db, rolloutId)
  const isRevert = kind === 'rollout.started' && found?.details['rollout_kind'] === 'revert'
  if (found) await audit({ kind: isRevert ? 'rollout.reverted' : kind, ...found })
}
