import type { Action } from '#boards/action.ts'
import { type Card, readCard, readLocation } from '#boards/card/card.ts'
import { changesOf } from '#boards/changes.ts'
import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { takeRoomOfCard } from '#quotas/room.ts'
import { type Resettable, resetCopy } from './copies.ts'

/** Resets fields of a template card to the template's values; undefined if the project has no such card. */
export function resetCard(
  db: Database,
  quotas: Quotas,
  { projectId, id, actorId }: Action,
  fields: readonly Resettable[],
): Promise<Card | 'no master' | 'no group' | undefined> {
  return change(db, projectId, async (queries) => {
    const place = await readLocation(queries, projectId, id)
    const before = await readCard(queries, projectId, id)
    if (!place || !before) return undefined
    const own = await resetCopy(queries, quotas, { projectId, cardId: id }, fields)
    if (own === 'no master' || own === 'no group') return own
    if (own.length === 0) return before
    const after = (await readCard(queries, projectId, id)) as Card
    const boardId = (await readLocation(queries, projectId, id))?.board_id as number
    const reset = Object.fromEntries(
      own.filter((name) => name !== 'place').map((name) => [name, after[name]]),
    )
    await recordEvent(queries, {
      // The card may have been on another board.
      boardId: own.includes('place') ? null : boardId,
      cardId: id,
      actorId,
      kind: 'card.reset',
      data: {
        fields: own,
        ...changesOf(before, reset, { kept: [] }).payload,
        board_id: boardId,
        group_id: after.group_id as number,
        position: after.position,
      },
    })
    await takeRoomOfCard(queries, quotas, { projectId, id }, place)
    return after
  })
}
