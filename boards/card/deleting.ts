import type { Database } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordTogether } from '#events/record.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { sumOf, takeFromGroups, takeRoom } from '#quotas/room.ts'
import type { Actor } from '../action.ts'
import { deleteComments } from '../comment/deleting.ts'
import { missingOf } from './several.ts'

interface Present {
  id: number
  board_id: number
  group_id: number
  title: string
  created_by: number | null
  bytes: number
}

/** Deletes cards with their comments, all or none; `onlyOwn` restricts it to the creator. */
export function deleteCards(
  db: Database,
  quotas: Quotas,
  { projectId, actorId }: Actor,
  ids: readonly number[],
  { onlyOwn }: { onlyOwn: boolean },
): Promise<'deleted' | 'not own' | { missing: number[] }> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const cards = await sql<Present[]>`
      select id, board_id, group_id, title, created_by, bytes from cards
      where project_id = ${projectId} and id = any(${ids as number[]}::bigint[]) and deleted_at is null
      order by board_id, id`
    const missing = missingOf(ids, cards)
    if (missing.length > 0) return { missing }
    if (onlyOwn && cards.some(({ created_by }) => created_by !== actorId)) return 'not own'
    // Each card gets a time of its own, because the trash is ordered by it.
    await sql`
      with listed as materialized (
        select id, now() + (number - 1) * interval '1 microsecond' as at
        from unnest(${ids as number[]}::bigint[]) with ordinality as each_one (id, number)
      )
      update cards c set deleted_at = listed.at, deleted_by = ${actorId}, updated_at = now() from listed
      where c.project_id = ${projectId} and c.id = listed.id`
    const comments = await deleteComments(queries, projectId, ids)
    await recordTogether(
      queries,
      cards.map(({ id, board_id: boardId, title }) => ({
        ...{ boardId, cardId: id, actorId, kind: 'card.deleted' as const, data: { title } },
      })),
    )
    await takeFromGroups(
      queries,
      projectId,
      cards.map(({ group_id }) => group_id),
    )
    for (const [boardId, own] of Map.groupBy(cards, ({ board_id }) => board_id)) {
      const said = comments.filter(({ card_id }) => own.some(({ id }) => id === card_id))
      const growth = { cards: -own.length, bytes: -sumOf(own), commentBytes: -sumOf(said) }
      await takeRoom(queries, quotas, { projectId, boardId }, growth)
    }
    return 'deleted'
  })
}
