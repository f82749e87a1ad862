// Who has a board of a project open, and whose description they edit. Each window tells it under the id of its event stream; the
// instance that has the stream prolongs it. Once the stream has closed, or the instance has died, it expires. A lost network leaves the stream
// open for minutes, so the window tells it again with every beat of the stream (routes/event-stream.ts).
import { integer, nullable, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { isSupport, shownName, supportId } from '#events/shown-name.ts'

/** Twice the time between two looks of an instance (live/live.ts), so that one that is late loses nobody. */
const lifetimeSeconds = 7
/** Three beats of the stream: a window that has not answered one of them is gone, although its stream looks open. */
const silenceSeconds = 45
/** Somebody who reloads the page is back by then, and was never away. */
const graceSeconds = 2
/** As many as a person can have streams. */
const mostOfPerson = 50
/** In one project; a page shows fewer faces. */
const mostOfProject = 200

export const present = record({
  user_id: integer(),
  name: text(),
  board_id: integer(),
  /** The card whose description they edit. */
  editing_card_id: nullable(integer()),
})

export type Present = (typeof present)['static']

/** A window of a person, by the id of its event stream. */
export interface Window {
  projectId: number
  userId: number
  streamId: string
}

/** Undefined if the project has no such board, 'no card' if it has no such card. */
export async function showPresence(
  queries: Queries,
  { projectId, userId, streamId }: Window,
  { boardId, editingCardId }: { boardId: number; editingCardId: number | null },
): Promise<'shown' | 'no card' | 'too many' | undefined> {
  const [row] = await queries.run<{ has_card: boolean; is_shown: boolean }>(showStatement, [
    projectId,
    userId,
    streamId,
    boardId,
    editingCardId,
  ])
  if (!row) return undefined
  if (!row.has_card) return 'no card'
  return row.is_shown ? 'shown' : 'too many'
}

/** $1 project, $2 person, $3 stream, $4 board, $5 card or null. What has expired is forgotten, so that a person never has more than the most. */
const showStatement = `
  with wanted as (
    select b.id as board_id, $5::bigint is null or exists (
      select from cards c where c.project_id = $1 and c.id = $5 and c.board_id = b.id and c.deleted_at is null) as has_card
    from boards b where b.project_id = $1 and b.id = $4 and b.deleted_at is null
  ), others as (
    select count(*) from presences where project_id = $1 and user_id = $2 and stream_id <> $3 and expires_at > now()
  ), gone as (
    delete from presences where project_id = $1 and user_id = $2 and stream_id <> $3 and expires_at <= now()
  ), shown as (
    insert into presences (project_id, user_id, stream_id, board_id, editing_card_id, shown_at, expires_at)
    select $1, $2, $3, board_id, $5, now(), now() + interval '${lifetimeSeconds} seconds' from wanted, others
    where has_card and others.count < ${mostOfPerson}
    on conflict (project_id, user_id, stream_id) do update set
      board_id = excluded.board_id, editing_card_id = excluded.editing_card_id, shown_at = excluded.shown_at,
      expires_at = excluded.expires_at
    returning 1
  )
  select has_card, exists (select from shown) as is_shown from wanted`

export async function endPresence({ sql }: Queries, { projectId, userId, streamId }: Window): Promise<void> {
  await sql`
    delete from presences where project_id = ${projectId} and user_id = ${userId} and stream_id = ${streamId}`
}

/** The streams have closed: unless their windows are back soon, the people have left. */
export async function letExpire(queries: Queries, windows: readonly Window[]): Promise<void> {
  await setExpiry(queries, windows, graceSeconds)
}

/** The streams are open. */
export async function prolong(queries: Queries, windows: readonly Window[]): Promise<void> {
  await setExpiry(queries, windows, lifetimeSeconds)
}

async function setExpiry(queries: Queries, windows: readonly Window[], seconds: number): Promise<void> {
  await queries.run(expiryStatement, [
    windows.map(({ projectId }) => projectId),
    windows.map(({ userId }) => userId),
    JSON.stringify(windows.map(({ streamId }) => streamId)),
    seconds,
  ])
}

const expiryStatement = `
  with present as materialized (
    select p.project_id, p.user_id, p.stream_id,
      least(now() + make_interval(secs => $4), p.shown_at + interval '${silenceSeconds} seconds') as expires_at
    from presences p join unnest($1::bigint[], $2::bigint[]) with ordinality as w (project_id, user_id, number)
      on p.project_id = w.project_id and p.user_id = w.user_id and p.stream_id = $3::text::json ->> (w.number::int - 1)
    where p.project_id = any($1)
  )
  update presences p set expires_at = present.expires_at from present
  where p.project_id = any($1) and p.project_id = present.project_id and p.user_id = present.user_id and p.stream_id = present.stream_id`

/** Who is in each of these projects, in a fixed order; projects with nobody are left out. */
export async function readPresent(
  queries: Queries,
  projectIds: readonly number[],
): Promise<Map<number, Present[]>> {
  const rows = await queries.run<{ project_id: number; people: Present[] }>(presentStatement, [
    [...projectIds],
  ])
  return new Map(rows.map(({ project_id, people }) => [project_id, people]))
}

/** Of all superadmins who help the project together. */
const presentId = `case when ${isSupport('p.project_id')} then ${supportId} else p.user_id end`

/** Several windows of a person on the same board are one; the one with an edited description counts. */
const presentStatement = `
  select project_id, json_agg(json_build_object('user_id', user_id, 'name', name, 'board_id', board_id,
    'editing_card_id', editing_card_id) order by user_id, board_id) as people
  from (
    select p.project_id, ${presentId} as user_id, ${shownName('p.project_id')} as name, p.board_id, max(p.editing_card_id) as editing_card_id,
      row_number() over (partition by p.project_id order by ${presentId}, p.board_id) as number
    from presences p join users u on u.id = p.user_id
    where p.project_id = any($1::bigint[]) and p.expires_at > now()
    group by p.project_id, 2, 3, p.board_id
  ) shown where number <= ${mostOfProject} group by project_id`
