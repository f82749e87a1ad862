import type { Fragment } from '#database/assignments.ts'
import type { Queries } from '#database/connect.ts'
import type { Quotas } from '#quotas/quotas.ts'
import { keepRevisions } from '../masters.ts'
import { refuseLargerTemplate, refuseMoreTemplates } from '../size.ts'

/** Adds groups and cards to a template that was just inserted, in the order of the originals' ranks, and stores its first revision. */
export async function fill(
  queries: Queries,
  quotas: Quotas,
  { id, platformId, actorId }: { id: number; platformId: number; actorId: number },
  original: Record<'groups' | 'cards', Fragment>,
): Promise<void> {
  const { sql } = queries
  await refuseMoreTemplates(queries, quotas, platformId)
  const groups = await sql<{ id: number; original_id: number }[]>`
    with numbered as (
      select nextval('group_ids') as new_id, original.* from (select * from (${original.groups}) g order by rank) original
    ), added as (
      insert into master_groups (id, board_id, title, description, type, color, icon, is_collapsed, rank, created_by)
      select new_id, ${id}, title, description, type, color, icon, is_collapsed, list_end(), ${actorId} from (select * from numbered order by rank) ordered
    ) select new_id as id, id as original_id from numbered order by rank`
  const cards = await sql<{ id: number }[]>`
    insert into master_cards (board_id, platform_id, group_id, title, description, short_description, unique_identifier,
      evaluation_check, needs_confirmation, tour_key, status, priority, is_active, rank, sort_order, created_by)
    select ${id}, ${platformId}, new_group, title, description, short_description, unique_identifier, evaluation_check, needs_confirmation,
      tour_key, status, priority, is_active, list_end(), place, ${actorId}
    from (
      select c.*, g.id as new_group, row_number() over (partition by g.id order by c.rank) as place
      from (${original.cards}) c
      join unnest(${groups.map((group) => group.id)}::bigint[], ${groups.map((group) => group.original_id)}::bigint[])
        as g (id, original_id) on g.original_id = c.group_id
      order by g.id, c.rank
    ) ordered returning id`
  await keepRevisions(queries, id, actorId, {
    board: true,
    groupIds: groups.map((group) => group.id),
    cardIds: cards.map((card) => card.id),
  })
  await refuseLargerTemplate(queries, quotas, id)
}
