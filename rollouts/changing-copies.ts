// Does in projects what a rollout is about, whatever its kind. Called by batch.ts.
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
  /** What kind of rollout is reverted. */
  reverted_kind: RolloutKind | null
}

/** What changed in the projects, what was left out, and the cards that only kept something. */
export type Applied = Pick<Awaited<ReturnType<typeof apply>>, 'leftOut' | 'onlyKept'> & {
  changes: (Change | Removal)[]
}

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
  return { onlyKept: [], ...(await changeOtherwise(queries, rollout, ids, quotas)), leftOut: [] }
}

async function changeOtherwise(
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
): Promise<Pick<Applied, 'changes'> & Partial<Applied>> {
  if (kind === 'removal')
    return { changes: await removeCopies(queries, cardId as number, ids, { rolloutId, actorId }) }
  if (kind === 'reset') {
    const wanted = { cardId: cardId as number, fields: reset_fields as string[] }
    return { changes: await resetCopies(queries, wanted, ids, quotas) }
  }
  const revertsId = reverts_id as number
  if (reverted_kind !== 'removal') return revertCopies(queries, { boardId, revertsId, actorId }, ids)
  const removed = { cardId: cardId as number, rolloutId: revertsId }
  return { changes: await bringBackRemoved(queries, removed, ids, quotas) }
}
