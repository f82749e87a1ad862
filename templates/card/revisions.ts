// The history of a template's card: every state it ever had.
import { priorities } from '#boards/card/priorities.ts'
import { descriptionFormat } from '#boards/description-format.ts'
import { flag, integer, nullable, oneOf, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const revision = record({
  revision: integer(),
  group_id: integer(),
  title: text(),
  description: nullable(text()),
  description_format: descriptionFormat,
  short_description: nullable(text()),
  unique_identifier: nullable(text()),
  evaluation_check: nullable(text()),
  needs_confirmation: flag(),
  tour_key: nullable(text()),
  status: text(),
  priority: oneOf(priorities),
  is_active: flag(),
  is_deleted: flag(),
  created_by: integer(),
  created_by_name: nullable(text()),
  created_at: timestamp(),
  version: onlyInV2(
    nullable(integer({ about: 'The number of the version that published it; null if none did.' })),
  ),
})

type Revision = (typeof revision)['static']

/** The revisions of a card before the given one, newest first. */
export async function listRevisions(
  queries: Queries,
  cardId: number,
  { before, limit }: { before: number | null; limit: number },
): Promise<{ revisions: Revision[]; hasMore: boolean }> {
  const revisions = await queries.run<Revision & { found: number }>(revisionsStatement, [
    cardId,
    before,
    limit,
  ])
  return { revisions, hasMore: revisions.length < (revisions[0]?.found ?? 0) }
}

/** Bounds a page in addition to its number of revisions, because each holds all texts of the card. */
const mostTextBytes = 1_000_000

/** A page ends early if the texts are long, but never before the first revision. */
const revisionsStatement = `
  with sized as (
    select revision, sum(bytes) over (order by revision desc) - bytes as bytes_before from (
      select revision, octet_length(coalesce(description, '')) + octet_length(coalesce(short_description, '')) as bytes
      from master_card_revisions where card_id = $1 and ($2::bigint is null or revision < $2)
      order by revision desc limit $3 + 1
    ) newest
  )
  select r.revision, r.group_id, r.title, r.description, description_format(r.description), r.short_description,
    r.unique_identifier, r.evaluation_check, r.needs_confirmation, r.tour_key, r.status, r.priority, r.is_active, r.is_deleted, r.created_by,
    u.name as created_by_name, wire_time(r.created_at) as created_at, v.number as version, (select count(*) from sized) as found
  from sized join master_card_revisions r on r.card_id = $1 and r.revision = sized.revision
  left join users u on u.id = r.created_by
  left join template_versions v on v.board_id = r.board_id and v.revision = r.published_with
  where sized.bytes_before < ${mostTextBytes} order by r.revision desc limit $3`
