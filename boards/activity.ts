// Lists the events of a board or card for the activity panel.
import { integer, nullable, record } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { mostNamed } from '#events/catalogue.ts'
import { eventsWithActors, shownColumns, shownEvent, shownWith } from '#events/shown.ts'

export const activityEntry = record({
  ...shownEvent.properties,
  board_id: nullable(integer()),
  card_id: nullable(integer()),
})

export type ActivityEntry = (typeof activityEntry)['static']

const boardStatement = `
  select $3::bigint is null or exists (
    select from cards where project_id = $1 and board_id = $2 and id = $3 and deleted_at is null) as has_card
  from boards where project_id = $1 and id = $2 and deleted_at is null`

const statement = (concerned: string, columns = shownColumns) => `
  select ${columns}, e.board_id, e.card_id from ${eventsWithActors}
  where e.project_id = $1 and ${concerned} and ($4::bigint is null or e.id < $4)
  order by e.id desc limit $5`

/** A rollout records what it only kept right after what it changed, at most one event for each board of the project. */
const eventsOfRollout = 100

const fieldsOf = (one: string) => `coalesce(${one}->'fields', '[]')`
const isOnlyMoved = (one: string) => `(${one}->>'is_moved')::boolean and ${fieldsOf(one)} = '[]'`
/**
 * What a rollout changed and kept, counted by kind of change. The first cards and groups of each kind have the title that they had then;
 * older events did not keep it, so the present one is read. A purged thing has no title.
 */
const changesOfRollout = `
  select coalesce(jsonb_agg(jsonb_build_object('thing', thing, 'change', change, 'count', count, 'named', named) order by thing, change), '[]') from (
    select thing, change, count(*), jsonb_agg(jsonb_build_object('id', id, 'fields', fields, 'title', case
        when names is not null then title
        when thing = 'card' then (select title from cards where project_id = $1 and id = ranked.id)
        else (select title from groups where project_id = $1 and id = ranked.id) end) order by number)
      filter (where number <= ${mostNamed}) as named
    from (
      select changed.*, title, row_number() over (partition by changed.thing, change order by title is null, place, changed.id) as number from (
        select 'card' as thing, case when ${isOnlyMoved('one')} then 'moved' else one->>'change' end as change, ids.id::bigint, ${fieldsOf('one')} as fields,
          500 + place as place, e.data->'named' as names
        from jsonb_array_elements(e.data->'cards') with ordinality as listed (one, place), jsonb_array_elements_text(one->'ids') as ids (id)
        union all
        select 'card', case when ${isOnlyMoved('one')} then 'moved' else 'updated' end, (one->>'card_id')::bigint, one->'fields', place, e.data->'named'
        from jsonb_array_elements(e.data->'updated') with ordinality as listed (one, place)
        union all
        select 'card', 'kept', (one->>'card_id')::bigint, one->'kept', place, e.data->'named'
        from jsonb_array_elements(e.data->'updated') with ordinality as listed (one, place) where one->'kept' <> '[]'
        union all
        select 'card', 'kept', ids.id::bigint, one->'kept', 500 + place, names
        from (
          select e.data->'cards' as cards, e.data->'named' as names union all
          select only_kept.data->'cards', only_kept.data->'named' from events only_kept where only_kept.project_id = $1 and only_kept.board_id = e.board_id
            and only_kept.id between e.id and e.id + ${eventsOfRollout}
            and only_kept.data ? 'rollout_id' and only_kept.kind = 'template.kept' and only_kept.data->>'rollout_id' = e.data->>'rollout_id'
        ) both_events, jsonb_array_elements(cards) with ordinality as listed (one, place), jsonb_array_elements_text(one->'ids') as ids (id)
        where one->'kept' <> '[]'
        union all
        select 'group', case when ${isOnlyMoved('one')} then 'moved' else one->>'change' end, (one->>'group_id')::bigint, one->'fields', place, e.data->'named'
        from jsonb_array_elements(e.data->'changed_groups') with ordinality as listed (one, place)
      ) changed left join lateral jsonb_to_recordset(names) as recorded (thing text, id bigint, title text)
        on recorded.thing = changed.thing and recorded.id = changed.id
    ) ranked group by thing, change
  ) counted`
/** The card, if it is on another board by now, and the groups of the event that this board does not show, by name unless it was purged. */
const elsewhere = `jsonb_strip_nulls(jsonb_build_object(
  'card_elsewhere', (
    select jsonb_build_object('title', c.title, 'board_id', c.board_id)
    from cards c join boards b on b.project_id = $1 and b.id = c.board_id and b.deleted_at is null
    where c.project_id = $1 and c.id = e.card_id and c.board_id <> $2 and c.deleted_at is null),
  'groups_elsewhere', (
    select jsonb_agg(jsonb_build_object('id', g.id, 'title', g.title, 'board_title', case when b.id <> $2 then nullif(b.title, '') end) order by g.id)
    from groups g join boards b on b.project_id = $1 and b.id = g.board_id
    where g.project_id = $1 and g.id in ((e.data->>'group_id')::bigint, (e.data->>'from_group_id')::bigint)
      and g.title <> '' and (g.board_id <> $2 or g.deleted_at is not null or g.archived_at is not null))))`
const columnsOfBoard = shownWith(
  `${elsewhere} || case e.kind when 'template.rolled_out' then jsonb_build_object('things', (${changesOfRollout})) else '{}' end`,
)

/** Tags belong to all boards of the project. */
const ofBoard = `
  select * from (
    (${statement(`$3::bigint is null and e.board_id = $2 and e.kind <> 'template.kept'`, columnsOfBoard)}) union all
    (${statement(`e.board_id is null and e.kind in ('tag.deleted', 'tag.restored')`)})
  ) happened order by id desc limit $5`
/** On every board that the card has been on; a move between two boards is listed once, though both have its event. */
const eventsOfCard = statement(
  `$2::bigint is not null and e.card_id = $3
  and not (e.kind = 'card.moved' and e.board_id is distinct from coalesce((e.data->>'board_id')::bigint, e.board_id))`,
  shownWith(elsewhere),
)
/**
 * Rollouts record one event for the whole board, which names the cards that they changed, and one with the cards that kept everything. The card may have
 * been moved away from it since.
 */
const rolloutsOfCard = statement(
  `(e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and e.kind in ('template.rolled_out', 'template.kept') and e.board_id in ($2, (
    select b.id from cards c join master_cards m on m.id = c.master_card_id
    join boards b on b.project_id = $1 and b.master_board_id = m.board_id where c.project_id = $1 and c.id = $3))
  and (e.data->'updated' @> jsonb_build_array(jsonb_build_object('card_id', $3::bigint))
    or e.data->'cards' @> jsonb_build_array(jsonb_build_object('ids', jsonb_build_array($3::bigint))))`,
  shownWith(`jsonb_build_object('card', coalesce(
    (select one - 'ids' from jsonb_array_elements(e.data->'cards') one where one->'ids' @> to_jsonb($3::bigint)
      order by one->>'change' = 'updated' limit 1),
    (select one - 'card_id' || '{"change": "updated"}' from jsonb_array_elements(e.data->'updated') one
      where one->'card_id' = to_jsonb($3::bigint))))`),
)
const ofCard = `
  select * from ((${eventsOfCard}) union all (${rolloutsOfCard})) happened order by id desc limit $5`

/** One page, newest first; `after` is the last id of the page before. Undefined if the project has no such board. */
export async function listActivity(
  queries: Queries,
  { projectId, boardId, cardId }: { projectId: number; boardId: number; cardId: number | null },
  { after, limit }: { after: number | null; limit: number },
): Promise<ActivityEntry[] | 'no card' | undefined> {
  const [board] = await queries.run<{ has_card: boolean }>(boardStatement, [projectId, boardId, cardId])
  if (!board?.has_card) return board && 'no card'
  const values = [projectId, boardId, cardId, after, limit]
  return queries.run(cardId === null ? ofBoard : ofCard, values)
}
