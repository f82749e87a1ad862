// Resets fields of a template's card in projects to what these last received of it, so that the next rollout finds them unchanged.
// planning.ts says what it would do; batch.ts, which locks the projects first, does it.
import { findByKeys } from '#database/by-keys.ts'
import type { Queries } from '#database/connect.ts'
import { type Quotas, usualQuotas } from '#quotas/quotas.ts'
import { type BoardGrowth, takeRoomOfMany } from '#quotas/room.ts'
import { isChanged } from '#templates/copies.ts'
import { type CardField, cardFields } from '#templates/rules.ts'
import { type Change, nothingChanged, type TitledCard } from './apply.ts'

/** Of a copy `c` that received `base`, the fields that are reset; the parameter has the wanted ones as JSON. */
const resetOf = (wanted: string) =>
  `array_remove(array[${cardFields
    .map((name) => `case when ${wanted}::text::jsonb ? '${name}' and ${isChanged[name]} then '${name}' end`)
    .join(', ')}], null)`

const received =
  'cards c join master_card_revisions base on base.card_id = c.master_card_id and base.revision = c.master_revision'

/** Copies of a card that was deleted from its template are ordinary cards. */
const isInTemplate = (cardId: string) => `exists (
  select from master_cards m left join master_card_revisions last on last.card_id = m.id and last.revision = m.published_revision
  where m.id = ${cardId} and not coalesce(last.is_deleted, m.deleted_at is not null))`

/** For planning.ts: $3 projects, $4 the template's card, $5 the fields. */
export const resetThings = `
  b as (select null::bigint as project_id, true as is_live, null::integer as synced_revision where $1::bigint < 0 and $2::integer < 0), things as materialized (
    select project_id, 'card' as thing, $4::bigint as id, case when takes_updates then 'updated' else 'skipped' end as change, base,
      case when takes_updates then fields else '{}' end as fields, '{}'::text[] as kept, false as is_moved,
      case when not takes_updates then 'updates_stopped' end as reason
    from (
      select c.project_id, c.takes_updates, base.revision as base, ${resetOf('$5')} as fields from ${received}
      where c.project_id = any($3::bigint[]) and c.master_card_id = $4 and c.deleted_at is null and ${isInTemplate('$4')}
    ) copies where cardinality(fields) > 0
  )`

/** $1 projects, $2 the template's card, $3 the fields. */
const resetCards = `
  with present as materialized (
    select c.project_id, c.id, c.bytes, base.revision, ${resetOf('$3')} as fields from ${received}
    where c.project_id = any($1::bigint[]) and c.master_card_id = $2 and c.deleted_at is null and c.takes_updates
      and ${isInTemplate('$2')}
  ), done as (
    update cards c set updated_at = now(), ${cardFields
      .map(
        (name) => `${name} = case when '${name}' = any(present.fields) then base.${name} else c.${name} end`,
      )
      .join(', ')}
    from present join master_card_revisions base on base.card_id = $2 and base.revision = present.revision
    where c.project_id = any($1::bigint[]) and c.project_id = present.project_id and c.id = present.id and cardinality(present.fields) > 0
    returning c.project_id, c.board_id, c.id as card_id, c.title, array_to_json(present.fields) as fields, c.bytes - present.bytes as bytes
  )
  select project_id, board_id, card_id, title, fields, 0 as cards, 0 as groups, bytes from done`

interface Reset extends BoardGrowth, TitledCard {
  fields: CardField[]
}

export async function resetCopies(
  queries: Queries,
  { cardId, fields }: { cardId: number; fields: readonly string[] },
  projectIds: number[],
  quotas: Quotas = usualQuotas,
): Promise<Change[]> {
  await findByKeys(queries)
  const reset = await queries.sql.unsafe<Reset[]>(resetCards, [projectIds, cardId, JSON.stringify(fields)])
  await takeRoomOfMany(queries, quotas, reset)
  return reset.map(({ project_id, board_id, card_id, title, fields: changed }) => ({
    ...{ project_id, board_id, ...nothingChanged() },
    updated: [{ card_id, title, fields: changed, kept: [], is_moved: false }],
  }))
}
