// Deleted boards, groups and cards as the trash shows them: in its list, and one alone where its address is opened.
import { flag, integer, nullable, oneOf, text } from '#contract/schema.ts'

export const kinds = ['board', 'group', 'card'] as const

export const thingFields = {
  kind: oneOf(kinds),
  thing_id: integer(),
  title: text(),
  board_title: nullable(text()),
  created_by: nullable(integer()),
  /** Where one of them is, the thing comes back only with it, or to `returns_to_group`. */
  is_group_deleted: flag(),
  is_board_deleted: flag(),
  /** The group that a card comes back to without its parents: its own, else the first of its board. */
  returns_to_group: nullable(text()),
}

/**
 * The columns of `thingFields`, when, by whom and with what it was deleted, and how many cards went with it, for the boards `b`, groups `g` and cards `c` of
 * project $1 that meet the conditions. What was deleted in one transaction has one time, and only the thing itself knows by whom.
 */
export const deletedThings = (conditions: Record<(typeof kinds)[number], string>) => `
  select 'board' as kind, b.id as thing_id, b.title, null::text as board_title, b.created_by,
    false as is_group_deleted, false as is_board_deleted, null::text as returns_to_group,
    b.deleted_at, b.deleted_by, null::text as deleted_with, b.deleted_cards as cards_count
  from boards b where b.project_id = $1 and ${conditions.board}
  union all
  select 'group', g.id, g.title, b.title, g.created_by, false, b.deleted_at is not null, null, g.deleted_at,
    coalesce(g.deleted_by, with_board.deleted_by), case when g.deleted_by is null then with_board.kind end, g.deleted_cards
  from groups g join boards b on b.project_id = $1 and b.id = g.board_id
    left join lateral (select 'board' as kind, b.deleted_by where b.deleted_at = g.deleted_at) with_board on true
  where g.project_id = $1 and ${conditions.group}
  union all
  select 'card', c.id, c.title, b.title, c.created_by, g.deleted_at is not null, b.deleted_at is not null,
    (select place.title from groups place
      where place.project_id = $1 and place.board_id = c.board_id and place.deleted_at is null and b.deleted_at is null
      order by place.id <> c.group_id, place.rank limit 1),
    c.deleted_at, coalesce(c.deleted_by, parent.deleted_by), case when c.deleted_by is null then parent.kind end, 1
  from cards c join boards b on b.project_id = $1 and b.id = c.board_id
    join groups g on g.project_id = $1 and g.id = c.group_id
    left join lateral (
      select 'group' as kind, g.deleted_by where g.deleted_at = c.deleted_at and g.deleted_by is not null
      union all select 'board', b.deleted_by where b.deleted_at = c.deleted_at limit 1
    ) parent on true
  where c.project_id = $1 and ${conditions.card}`
