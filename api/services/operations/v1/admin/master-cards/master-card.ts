import { taken } from '#api/failures.ts'
import { limitOn, limitReached } from '#api/quota.ts'
import { type Card, priorities } from '#boards/card/card.ts'
import type { Fail } from '#contract/failure.ts'
import { flag, oneOf, optional, text } from '#contract/schema.ts'
import { type Queries, violates } from '#database/connect.ts'
import { badDescription, description } from '../../operations/fields.ts'

const masterStatuses = ['open', 'in_progress', 'closed', 'to_check', 'blocked'] as const

/** The fields of a master card besides its title. */
export const masterCardInput = {
  description,
  unique_identifier: optional(text({ max: 100 })),
  evaluation_check: optional(text({ max: 100 })),
  tour_key: optional(text({ max: 100 })),
  short_description: optional(text()),
  status: optional(oneOf(masterStatuses)),
  is_active: optional(flag()),
  priority: optional(oneOf(priorities)),
}

/** The contract's Card for a master; `c` is the master card, `m` its board. */
export const masterCardColumns = (position: string) => `
  c.id, null::bigint as project_id, m.platform_id, null::bigint as master_card_id, c.group_id, null::bigint as owner_id,
  null::bigint as tag_id, c.created_by, c.sort_order, ${position} as position, true as is_master, c.is_active,
  false as is_overdue, c.unique_identifier, c.evaluation_check, c.tour_key, c.short_description, c.title, c.description,
  description_format(c.description),
  c.status, c.priority, null as due_date, null as snoozed_until, wire_time(c.created_at) as created_at,
  wire_time(c.updated_at) as updated_at, wire_time(c.deleted_at) as deleted_at,
  case when c.tour_key is null then 'template' else 'tour' end as card_type`

const positionInGroup = `(select count(*) from master_cards before
  where before.group_id = c.group_id and before.deleted_at is null and before.rank <= c.rank)`

export async function readMasterCard(queries: Queries, id: number): Promise<Card | undefined> {
  const [found] = await queries.run<Card>(
    `select ${masterCardColumns(positionInGroup)} from master_cards c join master_boards m on m.id = c.board_id
     where c.id = $1 and c.deleted_at is null`,
    [id],
  )
  return found
}

/** What can be wrong with the texts of a master card. */
export const badTexts = {
  ...limitOn('title', 'evaluation_check', 'tour_key', 'short_description', 'status', 'priority'),
  description: { ...badDescription, ...limitReached },
  unique_identifier: { ...taken, ...limitReached },
}

/** Runs a write of a master card whose unique_identifier another card may already have. */
export async function withFreeIdentifier<Result>(
  work: Promise<Result>,
  fail: Fail<{ 422: { unique_identifier: typeof taken } }>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    if (!violates(error, 'master_cards_identifier')) throw error
    throw fail(422, { unique_identifier: 'taken' })
  }
}
