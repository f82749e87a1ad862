import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOutput, readPage } from '#api/page.ts'
import { card, priorities } from '#boards/card/card.ts'
import { descriptionFormat } from '#boards/description-format.ts'
import { flag, integer, list, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import { readMasterCard } from './master-card.ts'

const revision = record({
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
})

export default operation({
  path: '/services/operations/v1/admin/master-cards/get',
  summary: 'A master card with its revisions, the newest first, a page at a time',
  audience: 'superadmin',
  input: { id: integer(), ...pageInput },
  success: 200,
  message: 'The master card.',
  output: record({ card, revisions: list(revision), ...pageOutput }),
  failures: { 404: noMasterCard, 422: badCursor },
  async handle({ input: { id, ...paging }, db, fail }) {
    const { after, limit } = readPage(paging, fail)
    const found = await readMasterCard(db, id)
    if (!found) throw fail(404, 'master_card_not_found')
    const revisions = await db.run<(typeof revision)['static'] & { found: number }>(revisionsStatement, [
      id,
      after,
      limit,
    ])
    const hasMore = revisions.length < (revisions[0]?.found ?? 0)
    return { card: found, revisions, next_cursor: hasMore ? String(revisions.at(-1)?.revision) : null }
  },
})

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
    u.name as created_by_name, wire_time(r.created_at) as created_at, (select count(*) from sized) as found
  from sized join master_card_revisions r on r.card_id = $1 and r.revision = sized.revision
  left join users u on u.id = r.created_by
  where sized.bytes_before < ${mostTextBytes} order by r.revision desc limit $3`
