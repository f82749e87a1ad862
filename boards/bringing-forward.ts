// Brings the kept JSON of a board up to date by reading only what changed.
import type { Database } from '#database/connect.ts'
import { epoch, versionOf } from '#database/epoch.ts'
import type { EventKind } from '#events/catalogue.ts'
import { boardColumns } from './board/board.ts'
import type { BoardChanges } from './board-pieces.ts'
import { cardColumns, positionInGroup } from './card/card.ts'
import { willBeOverdue } from './card/closing.ts'
import { groupColumns } from './group/group.ts'
import { tagColumns } from './tag/tag.ts'

/** These change only the card that they are about, which keeps its place. */
const kindsOfOneCard: EventKind[] = [
  'card.updated',
  'card.evaluated',
  'card.updates_stopped',
  'card.updates_taken',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'comment.restored',
]

/** These move other cards only up or down. */
const kindsOfPlaces: EventKind[] = [
  'card.created',
  'card.moved',
  'card.deleted',
  'card.restored',
  'card.reset',
]

/** These name the cards that they change. */
const kindsOfManyCards: EventKind[] = ['cards.dismissed', 'cards.reactivated']

/** These bring no cards; a group that is deleted or archived takes its cards with it. */
const kindsOfGroups: EventKind[] = [
  'group.created',
  'group.updated',
  'group.deleted',
  'group.archived',
  'groups.reordered',
]

const kindsOfTags: EventKind[] = ['tag.created', 'tag.updated']

/** After any other, for example a rollout, the board is read again. */
const known: EventKind[] = [
  ...kindsOfOneCard,
  ...kindsOfPlaces,
  ...kindsOfManyCards,
  ...kindsOfGroups,
  ...kindsOfTags,
  'board.updated',
  'views.changed',
]

/** After more events in the project the board is read again. */
const mostEvents = 100

const oneOf = (kinds: readonly EventKind[]) => `kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`

export interface KeptState {
  epoch: string
  version: number
  nextDue: string | null
}

/**
 * $3 is the version, $4 the epoch and $5 the next due date of the kept board. No row if it must be read again, or is of another project.
 * The next due date may be that of a card that is closed by now: then the board is read once without need.
 */
const statement = `
  with state as (
    select ${epoch} as epoch, ${versionOf('$1')} as version
  ), news as materialized (
    select e.kind, e.card_id, e.data from events e
    where e.project_id = $1 and e.id > $3 and e.id <= $3::bigint + ${mostEvents} and (e.board_id = $2 or e.board_id is null)
  ), changed as materialized (
    select id, bool_or(is_placed) as is_placed from (
      select card_id as id, ${oneOf(kindsOfPlaces)} as is_placed from news where card_id is not null
      union all
      select jsonb_array_elements_text(data->'card_ids')::bigint, false from news where ${oneOf(kindsOfManyCards)}
    ) named group by id
  ), present as materialized (
    select c.*, changed.is_placed from changed join cards c on c.id = changed.id
    join groups g on g.project_id = $1 and g.id = c.group_id and g.deleted_at is null and g.is_active
    where c.project_id = $1 and c.board_id = $2 and c.deleted_at is null
  )
  select state.*,
    least($5::timestamptz, (select min(c.due_date) from present c where ${willBeOverdue('c')})) as next_due,
    (select row_to_json(alone)::text from (select ${boardColumns}, state.version) alone) as board,
    case when exists (select from news where ${oneOf(kindsOfGroups)}) then (
      select coalesce(json_agg(row_to_json(group_row)::text), '[]') from (
        select ${groupColumns('row_number() over (order by g.rank)')} from groups g
        where g.project_id = $1 and g.board_id = $2 and g.deleted_at is null and g.is_active order by g.rank
      ) group_row) end as groups,
    case when exists (select from news where ${oneOf(kindsOfTags)}) then (
      select coalesce(json_agg(tag_row), '[]')::text from (
        select ${tagColumns('row_number() over (order by t.rank)')} from tags t
        where t.project_id = $1 and t.deleted_at is null order by t.rank
      ) tag_row) end as tags,
    (select coalesce(json_agg(json_build_object('id', changed.id, 'isPlaced', changed.is_placed, 'json', (
      select row_to_json(card_row)::text from (
        select ${cardColumns(`case when c.is_placed then ${positionInGroup} else 0 end`)} from present c where c.id = changed.id
      ) card_row))), '[]') from changed) as changed
  from state, boards b join projects p on p.id = $1
  where b.project_id = $1 and b.id = $2 and b.deleted_at is null
    and state.epoch = $4 and state.version between $3 and $3::bigint + ${mostEvents} and now() < coalesce($5::timestamptz, 'infinity')
    and not exists (select from news where not (${oneOf(known)}))
    and not exists (select from project_versions v where v.project_id = $1 and v.forgotten_until > $3)`

/** Undefined if more changed than can be told apart, or too much. */
export async function readChanges(
  db: Database,
  projectId: number,
  boardId: number,
  kept: KeptState,
): Promise<(KeptState & { changes: BoardChanges }) | undefined> {
  const [row] = await db.run<{ epoch: string; version: number; next_due: string | null } & BoardChanges>(
    statement,
    [projectId, boardId, kept.version, kept.epoch, kept.nextDue],
  )
  if (!row) return undefined
  const { epoch, version, next_due: nextDue, ...changes } = row
  return { epoch, version, nextDue, changes }
}
