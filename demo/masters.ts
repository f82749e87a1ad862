import type { Queries } from '#database/connect.ts'
import { keepRevisions } from '#templates/masters.ts'
import { demoMasters } from './master-content.ts'

/** Adds the master boards; each project receives the ones it has access to. */
export async function seedMasters(queries: Queries, actorId: number): Promise<void> {
  const { sql } = queries
  for (const board of demoMasters) {
    const [made] = await sql<{ id: number }[]>`
      insert into master_boards (platform_id, tool_key, title, description, icon, created_by)
      select min(id), ${board.toolKey}, ${board.title}, ${board.description}, ${board.icon}, ${actorId} from platforms
      returning id`
    const boardId = made?.id as number
    await keepRevisions(queries, boardId, actorId, { board: true })
    for (const group of board.groups) {
      const [column] = await sql<{ id: number }[]>`
        insert into master_groups (board_id, title, description, created_by)
        values (${boardId}, ${group.title}, ${group.description}, ${actorId}) returning id`
      const groupId = column?.id as number
      const cardIds: number[] = []
      for (const [index, card] of group.cards.entries()) {
        const [added] = await sql<{ id: number }[]>`
          insert into master_cards (board_id, group_id, title, short_description, description, priority, tour_key,
            unique_identifier, sort_order, created_by)
          values (${boardId}, ${groupId}, ${card.title}, ${card.short}, ${`<p>${card.short}</p>`}, ${card.priority ?? 'normal'},
            ${card.tourKey ?? null}, ${`${board.toolKey}-${card.key}`}, ${index + 1}, ${actorId}) returning id`
        cardIds.push(added?.id as number)
      }
      await keepRevisions(queries, boardId, actorId, { groupIds: [groupId], cardIds })
    }
  }
}
