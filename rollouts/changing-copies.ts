// Does in projects what a rollout is about, whatever its kind: for batch.ts, and for limits.ts, which undoes it.
import type { Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { apply, bringBackRemoved, type Change, type Removal, removeCopies } from './apply.ts'
import type { Planned } from './planning.ts'
import { resetCopies } from './reset-copies.ts'
import { revertCopies } from './revert.ts'
import type { RolloutKind } from './rollout.ts'

export interface Applying extends Planned {
  id: number
  created_by: number
  /** What kind of rollout a revert takes back. */
  reverted_kind: RolloutKind | null
}

/** What changed in the projects, and what was left out. */
export type Applied = Pick<Awaited<ReturnType<typeof apply>>, 'leftOut'> & { changes: (Change | Removal)[] }

/** The caller has locked the projects. A plan has what is skipped already. */
export async function changeCopies(
  queries: Queries,
  rollout: Applying,
  ids: number[],
  { quotas, isPlanned }: { quotas: Quotas; isPlanned: boolean },
): Promise<Applied> {
  const { id: rolloutId, kind, board_id: boardId, card_id: cardId, revision } = rollout
  if (kind === 'board' || kind === 'card')
    return apply(queries, { boardId, cardId, revision, rolloutId }, ids, {
      quotas,
      isSkippedWanted: !isPlanned,
    })
  return { changes: await changeOtherwise(queries, rollout, ids, quotas), leftOut: [] }
}

function changeOtherwise(
  queries: Queries,
  {
    id: rolloutId,
    kind,
    reverted_kind,
    reverts_id,
    reset_fields,
    board_id: boardId,
    card_id: cardId,
    created_by: actorId,
  }: Applying,
  ids: number[],
  quotas: Quotas,
): Promise<(Change | Removal)[]> {
  if (kind === 'removal') return removeCopies(queries, cardId as number, ids, { rolloutId, actorId })
  if (kind === 'reset')
    return resetCopies(queries, { cardId: cardId as number, fields: reset_fields as string[] }, ids, quotas)
  const revertsId = reverts_id as number
  return reverted_kind === 'removal'
    ? bringBackRemoved(queries, { cardId: cardId as number, rolloutId: revertsId }, ids, quotas)
    : revertCopies(queries, { boardId, revertsId, actorId }, ids)
}
