// What was deleted from templates in the last 30 days and can be restored.
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const deletedThing = record({
  /** The time of the deletion in microseconds, by which the list is ordered. */
  id: integer(),
  kind: oneOf(['template', 'group', 'card']),
  thing_id: integer(),
  title: text(),
  board_id: integer({ about: 'The id of the template.' }),
  board_title: text(),
  group_title: nullable(text({ about: 'The group of a card.' })),
  cards_count: integer({ about: 'How many cards were deleted with it; 1 for a card.' }),
  removed_count: integer({ about: 'From how many projects rollouts have deleted a card too.' }),
  deleted_by_name: nullable(text()),
  deleted_at: timestamp(),
})

type DeletedThing = (typeof deletedThing)['static']

/** Of the card `c`, since it was deleted. */
const removedCount = `(
  select coalesce(sum(b.changed), 0)::bigint from rollouts p join rollout_batches b on b.rollout_id = p.id
  where p.board_id = c.board_id and p.card_id = c.id and p.kind = 'removal' and p.started_at >= c.deleted_at)`

/** What is deleted with its template or group has the same `deleted_at`, and is restored with it. */
const statement = `
  select (extract(epoch from deleted_at) * 1000000)::bigint as id, kind, thing_id, title, board_id, board_title, group_title,
    cards_count, removed_count, u.name as deleted_by_name, wire_time(deleted_at) as deleted_at
  from (
    select 'template' as kind, m.id as thing_id, m.title, m.id as board_id, m.title as board_title, null as group_title,
      (select count(*) from master_cards c where c.board_id = m.id and c.deleted_at = m.deleted_at) as cards_count,
      0::bigint as removed_count, m.deleted_at, r.created_by
    from master_boards m join master_board_revisions r on r.board_id = m.id and r.revision = m.revision
    where m.deleted_at > kept_since() and ($1::bigint is null or m.platform_id = $1) and ($4::bigint is null or m.id = $4)
    union all
    select 'group', g.id, g.title, m.id, m.title, null,
      (select count(*) from master_cards c where c.group_id = g.id and c.deleted_at = g.deleted_at), 0, g.deleted_at, r.created_by
    from master_groups g join master_boards m on m.id = g.board_id and m.deleted_at is null
    join master_group_revisions r on r.group_id = g.id and r.revision = g.revision
    where g.deleted_at > kept_since() and ($1::bigint is null or m.platform_id = $1) and ($4::bigint is null or m.id = $4)
    union all
    select 'card', c.id, c.title, m.id, m.title, g.title, 1, ${removedCount}, c.deleted_at, r.created_by
    from master_cards c join master_groups g on g.id = c.group_id and g.deleted_at is distinct from c.deleted_at
    join master_boards m on m.id = c.board_id and m.deleted_at is null
    join master_card_revisions r on r.card_id = c.id and r.revision = c.revision
    where c.deleted_at > kept_since() and ($1::bigint is null or m.platform_id = $1) and ($4::bigint is null or m.id = $4)
  ) deleted left join users u on u.id = deleted.created_by
  where $2::bigint is null or (extract(epoch from deleted_at) * 1000000)::bigint < $2
  order by 1 desc fetch first $3 rows with ties`

/** The deleted things of a template, of a platform, or all, newest first; things of the same moment are never apart. */
export const listDeleted = (
  queries: Queries,
  {
    platformId,
    boardId,
    before,
    limit,
  }: { platformId: number | null; boardId: number | null; before: number | null; limit: number },
): Promise<DeletedThing[]> => queries.run<DeletedThing>(statement, [platformId, before, limit, boardId])
