// Turns the events of projects into inbox items. The position of each project moves in the same transaction, so that an event counts once, also
// after a crash and with several instances. Called by follower.ts.
import type { Database, Queries } from '#database/connect.ts'
import type { EventKind, Payload } from '#events/catalogue.ts'
import { type Reason, reasons } from './item.ts'
import { waitForMail } from './mailing.ts'
import { isOff } from './settings.ts'

/** Of each project in one transaction; the rest follows in the next one. */
const mostEvents = 200

interface Event {
  project_id: number
  id: number
  board_id: number | null
  card_id: number | null
  actor_id: number | null
  kind: EventKind
  /** Null for kinds that nobody is told about. */
  data: unknown
  created_at: string
}

/** An event that concerns people; the database knows who follows a card. */
interface Happening {
  project_id: number
  event_id: number
  board_id: number | null
  card_id: number | null
  actor_id: number | null
  reason: Reason
  /** The lower, the more it matters. */
  weight: number
  /** The person, if the event names one. */
  user_id: number | null
  /** 0 is the description. */
  comment_id: number | null
  status: string | null
  occurred_at: string
}

type What = Pick<Happening, 'reason'> & Partial<Pick<Happening, 'user_id' | 'comment_id' | 'status'>>

interface StatusChange {
  to: string | null
}

const newStatus = (status: StatusChange | undefined): What[] =>
  status?.to ? [{ reason: 'status_changed', status: status.to }] : []

/** What each kind of event can tell people. */
const told: { [Kind in EventKind]?: (data: Payload<Kind>, event: Event) => What[] } = {
  'card.created': ({ owner_id }) => (owner_id ? [{ reason: 'assigned', user_id: owner_id }] : []),
  'card.updated': ({ changes, texts, is_undo: isUndo }) => [
    ...(changes.owner_id?.to && !isUndo
      ? [{ reason: 'assigned', user_id: changes.owner_id.to } as const]
      : []),
    ...newStatus(changes.status as StatusChange | undefined),
    ...(texts?.includes('description') ? [{ reason: 'mentioned', comment_id: 0 } as const] : []),
  ],
  // Recorded on both boards if it left one.
  'card.moved': ({ status, board_id }, event) =>
    event.board_id === board_id ? newStatus(status as StatusChange | undefined) : [],
  'card.evaluated': ({ changes }) => newStatus(changes.status as StatusChange | undefined),
  'comment.created': ({ comment_id, parent_comment_id }) => [
    { reason: 'mentioned', comment_id },
    ...(parent_comment_id ? [{ reason: 'replied', comment_id } as const] : []),
    { reason: 'commented', comment_id },
  ],
  'comment.updated': ({ comment_id }) => [{ reason: 'mentioned', comment_id }],
  'member.joined': ({ invited_by }) =>
    invited_by ? [{ reason: 'invitation_accepted', user_id: invited_by }] : [],
  'template.rolled_out': () => [{ reason: 'template_changed' }],
}

function happeningsOf(event: Event): Happening[] {
  const { id, project_id, board_id, card_id, actor_id, kind, data, created_at } = event
  const tell = told[kind] as ((data: unknown, event: Event) => What[]) | undefined
  // Of purged things only ids are left.
  if (!tell || (data as { is_purged?: true }).is_purged) return []
  return tell(data, event).map((what) => ({
    ...{ project_id, event_id: id, board_id, card_id, actor_id, occurred_at: created_at },
    ...{ user_id: null, comment_id: null, status: null, weight: reasons.indexOf(what.reason) },
    ...what,
  }))
}

interface Followed {
  /** Projects that have more events, or that another instance is working on. */
  unfinished: number[]
  /** Whose inbox changed. */
  told: { project_id: number; user_id: number }[]
}

/** Follows the events of these projects from where it stopped. */
export const followEvents = (db: Database, projectIds: readonly number[]): Promise<Followed> =>
  db.transaction(async (queries) => {
    const { ids, events } = await claim(queries, projectIds as number[])
    if (ids.length === 0) return { unfinished: [...projectIds], told: [] }
    const happenings = events.flatMap(happeningsOf)
    const reached = new Map(events.map(({ project_id, id }) => [project_id, id]))
    const positions = [ids, [...reached.keys()], [...reached.values()]]
    const changed =
      happenings.length === 0
        ? []
        : await queries.run<Followed['told'][number]>(tellStatement, [
            ...positions,
            JSON.stringify(happenings),
          ])
    if (happenings.length === 0 && reached.size > 0) await queries.run(moveStatement, positions)
    const counts = Map.groupBy(events, ({ project_id }) => project_id)
    const isDone = (id: number) => ids.includes(id) && (counts.get(id)?.length ?? 0) < mostEvents
    return { unfinished: projectIds.filter((id) => !isDone(id)), told: changed }
  })

type ClaimedEvent = Pick<Event, 'project_id'> & {
  [Name in keyof Omit<Event, 'project_id'>]: Event[Name] | null
}

/** Locks the positions of the projects that no other instance is working on, and reads their events from there. */
async function claim(queries: Queries, ids: number[]): Promise<{ ids: number[]; events: Event[] }> {
  const read = () => queries.run<ClaimedEvent>(claimStatement, [ids, mostEvents])
  let rows = await read()
  const claimed = () => [...new Set(rows.map(({ project_id }) => project_id))]
  if (claimed().length < ids.length && (await addPositions(queries, ids))) rows = await read()
  return { ids: claimed(), events: rows.filter((row): row is Event => row.id !== null) }
}

/** True if some had none yet. */
async function addPositions({ sql }: Queries, ids: number[]): Promise<boolean> {
  const added = await sql<{ project_id: number }[]>`
    insert into inbox_positions (project_id, version)
    select id, 0 from unnest(${ids}::bigint[]) id where not exists (
      select from inbox_positions where project_id = id and project_id = any(${ids}::bigint[])) order by id
    on conflict (project_id) do nothing returning project_id`
  return added.length > 0
}

const kinds = Object.keys(told)
  .map((kind) => `'${kind}'`)
  .join(', ')

/** $1 projects, $2 how many events of each; one row without an event for a project that has none. */
const claimStatement = `
  with claimed as materialized (
    select project_id, version from inbox_positions where project_id = any($1::bigint[]) order by project_id for update skip locked)
  select claimed.project_id, e.id, e.board_id, e.card_id, e.actor_id, e.kind,
    case when e.kind in (${kinds}) then e.data end as data, e.created_at
  from claimed
  left join lateral (
    select * from events where project_id = any($1::bigint[]) and project_id = claimed.project_id and id > claimed.version
    order by id limit $2) e on true
  order by claimed.project_id, e.id`

/** $1 projects, $2 those with events, $3 the last of each. */
const movePositions = `
  update inbox_positions p set version = reached.version
  from unnest($2::bigint[], $3::bigint[]) reached (project_id, version)
  where p.project_id = reached.project_id and p.project_id = any($1::bigint[])`

const moveStatement = `${movePositions} returning p.project_id`

/** The people who follow the card of `h`, as in following.ts. */
const followers = `
  select c.owner_id as user_id
  union select c.created_by
  union select m.user_id from comments m
    where m.project_id = any($1::bigint[]) and m.project_id = h.project_id and m.card_id = h.card_id and m.deleted_at is null
  union select n.user_id from mentions n
    where n.project_id = any($1::bigint[]) and n.project_id = h.project_id and n.card_id = h.card_id
  union select f.user_id from card_follows f
    where f.project_id = any($1::bigint[]) and f.project_id = h.project_id and f.card_id = h.card_id and f.is_following`

/** The cards that a rollout changed and that nobody has since: the same transaction has written them and its event, which names them. */
const changedByRollout = `
  h.reason = 'template_changed' and c.board_id = h.board_id and exists (
    select from events e where e.project_id = any($1::bigint[]) and e.project_id = h.project_id and e.id = h.event_id and e.xmin = c.xmin
      and (e.data->'updated' @> jsonb_build_array(jsonb_build_object('card_id', c.id))
        or e.data->'cards' @> jsonb_build_array(jsonb_build_object('ids', jsonb_build_array(c.id)))))`

/**
 * $1 to $3 as above, $4 what happened. Of several reasons for one event a person is told the first. Nobody is told of what they did themselves,
 * as a former member, about a card that they have muted, or of a comment that they have already read.
 */
const tellStatement = `
  with moved as (${movePositions}
  ), happened as materialized (
    select * from jsonb_to_recordset($4::text::jsonb) as h (project_id bigint, event_id bigint, board_id bigint, card_id bigint,
      actor_id bigint, reason text, weight integer, user_id bigint, comment_id bigint, status text, occurred_at timestamptz)
  ), named as (
    select h.project_id, h.event_id, h.card_id, h.comment_id, (mention->>'user_id')::bigint as user_id
    from happened h
    join comments m on m.project_id = any($1::bigint[]) and m.project_id = h.project_id and m.id = h.comment_id
      and m.deleted_at is null
    cross join jsonb_array_elements(m.mentions) mention
    where h.reason = 'mentioned'
    union all
    select h.project_id, h.event_id, h.card_id, 0, (mention->>'user_id')::bigint
    from happened h
    join cards c on c.project_id = any($1::bigint[]) and c.project_id = h.project_id and c.id = h.card_id
      and c.deleted_at is null
    cross join jsonb_array_elements(c.mentions) mention
    where h.reason = 'mentioned' and h.comment_id = 0
  ), written as (
    select distinct on (project_id, card_id, comment_id, user_id) * from named
    order by project_id, card_id, comment_id, user_id, event_id
  ), mentioned as (
    insert into mentions (project_id, card_id, comment_id, user_id)
    select project_id, card_id, comment_id, user_id from written
    on conflict (project_id, card_id, comment_id, user_id) do nothing
    returning project_id, card_id, comment_id, user_id
  ), concerned as (
    select h.*, h.user_id as told_id from happened h
    join cards c on c.project_id = any($1::bigint[]) and c.project_id = h.project_id and c.id = h.card_id
      and c.owner_id = h.user_id
    where h.reason = 'assigned'
    union all
    select h.*, mentioned.user_id from happened h
    join written on written.project_id = h.project_id and written.event_id = h.event_id and written.comment_id = h.comment_id
    join mentioned on mentioned.project_id = h.project_id and mentioned.card_id = h.card_id
      and mentioned.comment_id = h.comment_id and mentioned.user_id = written.user_id
    where h.reason = 'mentioned'
    union all
    select h.*, parent.user_id from happened h
    join comments m on m.project_id = any($1::bigint[]) and m.project_id = h.project_id and m.id = h.comment_id
      and m.deleted_at is null
    join comments parent on parent.project_id = any($1::bigint[]) and parent.project_id = h.project_id
      and parent.id = m.parent_comment_id and parent.deleted_at is null
    where h.reason = 'replied'
    union all
    select h.*, h.user_id from happened h where h.reason = 'invitation_accepted'
    union all
    select h.*, follower.user_id from happened h
    join cards c on c.project_id = any($1::bigint[]) and c.project_id = h.project_id and c.id = h.card_id
    cross join lateral (${followers}) follower
    where h.reason in ('commented', 'status_changed') and not exists (
      select from card_follows f where f.project_id = any($1::bigint[]) and f.project_id = h.project_id
        and f.card_id = h.card_id and f.user_id = follower.user_id and not f.is_following)
    union all
    select h.project_id, h.event_id, h.board_id, c.id, h.actor_id, h.reason, h.weight, null, null, null, h.occurred_at, c.owner_id
    from happened h
    join cards c on c.project_id = any($1::bigint[]) and c.project_id = h.project_id and c.owner_id is not null and ${changedByRollout}
  ), chosen as (
    select distinct on (project_id, event_id, card_id, told_id) * from concerned told
    where told_id is distinct from actor_id
      and exists (select from memberships m where m.project_id = told.project_id and m.user_id = told_id)
      and not ${isOff('told_id', 'told.reason')}
      and not exists (
        select from card_follows f where f.project_id = any($1::bigint[]) and f.project_id = told.project_id
          and f.card_id = told.card_id and f.user_id = told_id and f.is_muted)
      and not exists (
        select from comment_reads r where r.project_id = any($1::bigint[]) and r.project_id = told.project_id
          and r.comment_id = told.comment_id and r.user_id = told_id)
    order by project_id, event_id, card_id, told_id, weight
  ), newest as (
    select distinct on (project_id, card_id, told_id, reason, member_id) *,
      count(*) over (partition by project_id, card_id, told_id, reason, member_id) as times
    from (select *, case when card_id is null then actor_id end as member_id from chosen) chosen
    order by project_id, card_id, told_id, reason, member_id, event_id desc
  ), told as (
    insert into inbox_items as item (project_id, user_id, reason, card_id, actor_id, count, comment_id, status, occurred_at)
    select project_id, told_id, reason, card_id, actor_id, times, nullif(comment_id, 0), status, occurred_at
    from newest order by project_id, event_id
    on conflict (project_id, card_id, user_id, reason) where card_id is not null do update set
      id = excluded.id, actor_id = excluded.actor_id, comment_id = excluded.comment_id, status = excluded.status,
      count = case when item.read_at is null then item.count else 0 end + excluded.count,
      occurred_at = excluded.occurred_at, read_at = null, mailed_at = null
    returning project_id, user_id, reason
  ), ${waitForMail('told')}
  select project_id, user_id from told`
