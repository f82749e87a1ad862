// The tour of a project: its cards with a tour_key.
import { integer, nullable, record, text } from '#contract/schema.ts'
import type { Database, Queries } from '#database/connect.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { hasAccess } from '../board/board.ts'

export const tourCard = record({
  id: integer(),
  board_id: integer(),
  tour_key: text(),
  title: text(),
  short_description: nullable(text()),
  status: text(),
})

type TourCard = (typeof tourCard)['static']

/** A tour of more cards is listed in part. */
export const mostTourCards = 200

const ofTour = (isDismissed: boolean) => `
  from cards c
  join groups g on g.project_id = $1 and g.id = c.group_id and g.is_active
  join boards b on b.project_id = $1 and b.id = c.board_id and b.is_active
  join projects p on p.id = b.project_id
  where c.project_id = $1 and c.tour_key is not null and ${isDismissed ? 'not c.is_active' : 'c.is_active'}
    and c.deleted_at is null and ${hasAccess}`

/** In the order of boards, groups and cards. */
export function listTour(
  queries: Queries,
  projectId: number,
  { isDismissed }: { isDismissed: boolean },
): Promise<TourCard[]> {
  return queries.run<TourCard>(
    `select c.id, c.board_id, c.tour_key, c.title, c.short_description, c.status ${ofTour(isDismissed)}
     order by b.rank, g.rank, c.rank limit ${mostTourCards}`,
    [projectId],
  )
}

/** Whether a step of the tour is left to do. */
export async function hasOpenStep(queries: Queries, projectId: number): Promise<boolean> {
  const [found] = await queries.run<{ is_found: boolean }>(
    `select exists (select ${ofTour(false)} and c.status <> 'closed') as is_found`,
    [projectId],
  )
  return found?.is_found ?? false
}

interface Asked {
  projectId: number
  actorId: number
}

/** Hides every card of the tour, even if templates change it later, and returns how many. */
export const dismissTour = (db: Database, asked: Asked) => setActive(db, asked, false)

/** Shows every hidden card of the tour again, and returns how many. */
export const restoreTour = (db: Database, asked: Asked) => setActive(db, asked, true)

function setActive(db: Database, { projectId, actorId }: Asked, isActive: boolean): Promise<number> {
  return change(db, projectId, async (queries) => {
    const { sql } = queries
    const changed = await sql<{ board_id: number; id: number }[]>`
      update cards set is_active = ${isActive}, updated_at = now()
      where project_id = ${projectId} and tour_key is not null and deleted_at is null
        and ${isActive ? sql`not is_active` : sql`is_active`}
      returning board_id, id`
    for (const [boardId, cards] of Map.groupBy(changed, ({ board_id }) => board_id)) {
      const data = { card_ids: cards.map(({ id }) => id).sort((a, b) => a - b) }
      const kind = isActive ? 'cards.reactivated' : 'cards.dismissed'
      await recordEvent(queries, { boardId, actorId, kind, data })
    }
    return changed.length
  })
}

/** From now on the tour no longer opens by itself for this member. */
export async function markTourSeen({ sql }: Queries, projectId: number, userId: number): Promise<void> {
  await sql`
    update memberships set tour_seen_at = now()
    where project_id = ${projectId} and user_id = ${userId} and tour_seen_at is null`
}
