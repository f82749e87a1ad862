// Deleted boards, groups, cards and tags for the list of the trash, and the first three for the address of a deleted one.
import { flag, integer, nullable, oneOf, onlyInV2, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { shownAuthor, shownName } from '#events/shown-name.ts'

export const kinds = ['board', 'group', 'card'] as const

const thingFields = {
  thing_id: integer(),
  title: text(),
  icon: onlyInV2(nullable(text({ about: 'The icon of a board, group or tag; cards have none.' }))),
  color: onlyInV2(nullable(text({ about: 'The color of a board, group or tag; cards have none.' }))),
  board_title: nullable(text()),
  board_icon: onlyInV2(nullable(text({ about: 'The icon of the board it was on.' }))),
  board_color: onlyInV2(nullable(text({ about: 'The color of the board it was on.' }))),
  created_by: nullable(integer()),
  /** If one of them is deleted, the thing is restored only with it, or to `returns_to_group`. */
  is_group_deleted: flag(),
  is_board_deleted: flag(),
  /** The group of a card that is restored without its parents: its own, or else the first of its board. */
  returns_to_group: nullable(text()),
}

export const thingInList = record({
  /** The time of the deletion in microseconds, by which the list is ordered. */
  id: integer(),
  kind: oneOf([...kinds, 'tag']),
  ...thingFields,
  /** How many cards were deleted with a board or group, or lost the tag; 1 for a card. */
  cards_count: integer(),
  deleted_by_name: nullable(text()),
  deleted_at: timestamp(),
})

export const thing = record({
  kind: oneOf(kinds),
  ...thingFields,
  /** Set if the thing was deleted with its board or group. */
  deleted_with: nullable(oneOf(['board', 'group'])),
  deleted_by_name: nullable(text()),
  deleted_at: timestamp(),
})

/** Null if a rollout did it. */
const deleterOf = (alias: string) =>
  `case when ${alias}.withdrawn_at is distinct from ${alias}.deleted_at then ${alias}.deleted_by end`

/**
 * Selects the deleted boards `b`, groups `g` and cards `c` of project $1 that meet the conditions: the columns of `thingFields`, when and
 * by whom each was deleted, with which parent, and how many cards were deleted with it. What is deleted with its parent has the same
 * `deleted_at` and no `deleted_by` of its own.
 */
const deletedThings = (conditions: Record<(typeof kinds)[number], string>) => `
  select 'board' as kind, b.id as thing_id, b.title, b.icon, b.color,
    null::text as board_title, null::text as board_icon, null::text as board_color, b.created_by,
    false as is_group_deleted, false as is_board_deleted, null::text as returns_to_group,
    b.deleted_at, ${deleterOf('b')} as deleted_by, null::text as deleted_with, b.deleted_cards as cards_count
  from boards b where b.project_id = $1 and ${conditions.board}
  union all
  select 'group', g.id, g.title, g.icon, g.color, b.title, b.icon, b.color, g.created_by, false, b.deleted_at is not null, null, g.deleted_at,
    coalesce(${deleterOf('g')}, with_board.deleted_by), case when g.deleted_by is null then with_board.kind end, g.deleted_cards
  from groups g join boards b on b.project_id = $1 and b.id = g.board_id
    left join lateral (select 'board' as kind, ${deleterOf('b')} as deleted_by where b.deleted_at = g.deleted_at) with_board on true
  where g.project_id = $1 and ${conditions.group}
  union all
  select 'card', c.id, c.title, null, null, b.title, b.icon, b.color, c.created_by, g.deleted_at is not null, b.deleted_at is not null,
    (select place.title from groups place
      where place.project_id = $1 and place.board_id = c.board_id and place.deleted_at is null and place.is_active
        and b.deleted_at is null
      order by place.id <> c.group_id, place.rank limit 1),
    c.deleted_at, coalesce(${deleterOf('c')}, parent.deleted_by),
    case when c.deleted_by is null then parent.kind end, 1
  from cards c join boards b on b.project_id = $1 and b.id = c.board_id
    join groups g on g.project_id = $1 and g.id = c.group_id
    left join lateral (
      select 'group' as kind, ${deleterOf('g')} as deleted_by where g.deleted_at = c.deleted_at and g.deleted_by is not null
      union all select 'board', ${deleterOf('b')} where b.deleted_at = c.deleted_at limit 1
    ) parent on true
  where c.project_id = $1 and ${conditions.card}`

/** Things that were deleted themselves; their content is restored with them. */
const deletedAlone = (
  alias: string,
) => `${alias}.deleted_by is not null and ${alias}.deleted_at > kept_since()
  and ($2::bigint is null or ${alias}.deleted_at < '1970-01-01Z'::timestamptz + $2 * interval '1 microsecond')`

/** With the columns of `deletedThings`; a tag belongs to no board. */
const deletedTags = `
  select 'tag', t.id, t.name, t.icon, t.color, null, null, null, t.created_by, false, false, null, t.deleted_at, t.deleted_by, null,
    coalesce(cardinality(t.removed_from), 0)
  from tags t where t.project_id = $1 and ${deletedAlone('t')}`

const listStatement = `
  select (extract(epoch from gone.deleted_at) * 1000000)::bigint as id, gone.kind, gone.thing_id, gone.title, gone.icon, gone.color,
    gone.board_title, gone.board_icon, gone.board_color, ${shownAuthor('$1', 'gone.created_by')} as created_by, gone.is_group_deleted, gone.is_board_deleted, gone.returns_to_group, gone.cards_count,
    ${shownName('$1')} as deleted_by_name, wire_time(gone.deleted_at) as deleted_at
  from (${deletedThings({ board: deletedAlone('b'), group: deletedAlone('g'), card: deletedAlone('c') })}
  union all ${deletedTags}) gone
  left join users u on u.id = gone.deleted_by
  order by gone.deleted_at desc limit $3`

/** A page of what can be restored, newest first; `after` is the last id of the page before. */
export const listTrash = (
  queries: Queries,
  projectId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<(typeof thingInList)['static'][]> => queries.run(listStatement, [projectId, after, limit])

const ofThing = deletedThings({
  board: `$2 = 'board' and b.id = $3 and b.deleted_at > kept_since()`,
  group: `$2 = 'group' and g.id = $3 and g.deleted_at > kept_since()`,
  card: `$2 = 'card' and c.id = $3 and c.deleted_at > kept_since()`,
})

const readStatement = `
  select gone.kind, gone.thing_id, gone.title, gone.icon, gone.color, gone.board_title, gone.board_icon, gone.board_color, ${shownAuthor('$1', 'gone.created_by')} as created_by, gone.is_group_deleted,
    gone.is_board_deleted, gone.returns_to_group, gone.deleted_with, ${shownName('$1')} as deleted_by_name,
    wire_time(gone.deleted_at) as deleted_at
  from (${ofThing}) gone left join users u on u.id = gone.deleted_by`

export async function readTrashed(
  queries: Queries,
  projectId: number,
  kind: (typeof kinds)[number],
  id: number,
): Promise<(typeof thing)['static'] | undefined> {
  const [found] = await queries.run<(typeof thing)['static']>(readStatement, [projectId, kind, id])
  return found
}
