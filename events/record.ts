// Writes events, except those of the functions in the database that change a card or comment in one round trip. Listeners are notified as a consequence (database/connect.ts).
import type { EventKind, Payload } from './catalogue.ts'
import type { Change, ManyChanges } from './change.ts'

/** An event to record; catalogue.ts has the types of its payload. */
interface NewEvent<Kind extends EventKind> {
  kind: Kind
  /** Null if it concerns every board of the project. */
  boardId: number | null
  cardId?: number
  /** Null if no person did it, such as the end of a trial. */
  actorId: number | null
  data: Payload<Kind>
}

export async function recordEvent<Kind extends EventKind>(
  change: Change,
  event: NewEvent<Kind>,
): Promise<void> {
  const { kind, boardId, cardId = null, actorId, data } = event
  await change.run(recordStatement, [change.projectId, boardId, cardId, actorId, kind, JSON.stringify(data)])
  change.announce(change.projectId)
}

const recordStatement = 'select record_event($1, $2, $3, $4, $5, $6::text::jsonb)'

/** Records several events of a project in one statement, in their order. */
export async function recordTogether(change: Change, events: readonly AnyEvent[]): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ boardId, cardId, actorId, kind, data }, index) => ({
    ...{ number: index + 1, board_id: boardId, card_id: cardId ?? null, actor_id: actorId, kind, data },
  }))
  await change.run(recordTogetherStatement, [change.projectId, rows.length, JSON.stringify(rows)])
  change.announce(change.projectId)
}

const recordTogetherStatement = 'select record_events($1, $2, $3::text::jsonb)'

type AnyEvent = { [Kind in EventKind]: NewEvent<Kind> }[EventKind]

/** Records events of many projects in a few statements; `at` dates an event in the past. */
export async function recordEvents(
  { sql, versions, announce }: ManyChanges,
  events: readonly (AnyEvent & { projectId: number; at?: string })[],
): Promise<void> {
  if (events.length === 0) return
  const rows = events.map(({ projectId, boardId, cardId, actorId, kind, data, at }) => {
    const id = (versions.get(projectId) as number) + 1
    versions.set(projectId, id)
    return {
      project_id: projectId,
      id,
      board_id: boardId,
      card_id: cardId ?? null,
      actor_id: actorId,
      kind,
      data,
      created_at: at ?? null,
    }
  })
  await sql`
    insert into events (project_id, id, board_id, card_id, actor_id, kind, data, created_at)
    select project_id, id, board_id, card_id, actor_id, kind, data, coalesce(created_at, clock_timestamp())
    from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as happened (project_id bigint, id bigint, board_id bigint,
      card_id bigint, actor_id bigint, kind text, data jsonb, created_at timestamptz)`
  // By how many events instead of by project: PostgreSQL would compare each project with the whole list.
  const counts = countsOf(events)
  for (const [count, projects] of Map.groupBy(counts, ([, count]) => count))
    await sql`
      update project_versions set version = version + ${count}::bigint
      where project_id = any(${projects.map(([id]) => id)}::bigint[])`
  for (const projectId of counts.keys()) announce(projectId)
}

/** How many events each project has. */
function countsOf(events: readonly { projectId: number }[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { projectId } of events) counts.set(projectId, (counts.get(projectId) ?? 0) + 1)
  return counts
}
