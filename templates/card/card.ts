import type { Card } from '#boards/card/card.ts'
import { type Queries, violates } from '#database/connect.ts'

/** The contract's Card; `c` is the template's card, `m` the template. */
export const templateCardColumns = (position: string) => `
  c.id, null::bigint as project_id, m.platform_id, null::bigint as master_card_id, c.group_id, null::bigint as owner_id,
  null::bigint as tag_id, c.created_by, c.sort_order, ${position} as position, true as is_master, c.is_active,
  false as is_overdue, c.unique_identifier, c.evaluation_check, null::boolean as evaluation_passed,
  null as evaluated_at, null::bigint as evaluated_by, c.needs_confirmation, c.tour_key, c.short_description, c.title, c.description,
  description_format(c.description),
  c.status, c.priority, null as due_date, false as due_is_date, null as snoozed_until, wire_time(c.created_at) as created_at,
  wire_time(c.updated_at) as updated_at, wire_time(c.deleted_at) as deleted_at,
  case when c.tour_key is null then 'template' else 'tour' end as card_type`

const positionInGroup = `(select count(*) from master_cards before
  where before.group_id = c.group_id and before.deleted_at is null and before.rank <= c.rank)`

export async function readTemplateCard(queries: Queries, id: number): Promise<Card | undefined> {
  const [found] = await queries.run<Card>(
    `select ${templateCardColumns(positionInGroup)} from master_cards c join master_boards m on m.id = c.board_id
     where c.id = $1 and c.deleted_at is null`,
    [id],
  )
  return found
}

/** `db.transaction(…).catch(onTakenIdentifier)`: the outcome if another card already has the unique_identifier. */
export function onTakenIdentifier(error: unknown): 'identifier taken' {
  if (!violates(error, 'master_cards_identifier')) throw error
  return 'identifier taken'
}
