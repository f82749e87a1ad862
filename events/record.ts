// The only way to write an event. Telling those who listen follows from it.
import type { EventKind, Payload } from './catalogue.ts'
import type { Change, ManyChanges } from './change.ts'

/** What happened; the types of its payload are in catalogue.ts. */
interface Happening<Kind extends EventKind> {
  kind: Kind
  /** Null for what concerns every board of the project. */
  boardId: number | null
  cardId?: number
  /** Null where nobody did it, such as a trial that ends. */
  actorId: number | null
  data: Payload<Kind>
}

export async function recordEvent<Kind extends EventKind>(
  change: Change,
  event: Happening<Kind>,
): Promise<void> {
  const { kind, boardId, cardId = null, actorId, data } = event
  await change.run(recordStatement, [change.projectId, boardId, cardId, actorId, kind, JSON.stringify(data)])
  change.announce(change.projectId)
}

const recordStatement = 'select record_event($1, $2, $3, $4, $5, $6::text::jsonb)'

type AnyHappening = { [Kind in EventKind]: Happening<Kind> }[EventKind]

/** The same for what happened in many projects: two statements for all of them. `at` is for what happened before. */
export async function recordEvents(
  { sql, versions, announce }: ManyChanges,
  events: readonly (AnyHappening & { projectId: number; at?: string })[],
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
  const projectIds = [...new Set(events.map(({ projectId }) => projectId))]
  await sql`
    update project_versions v set version = reached.version
    from unnest(${projectIds}::bigint[], ${projectIds.map((id) => versions.get(id) as number)}::bigint[]) reached (project_id, version)
    where v.project_id = reached.project_id`
  for (const projectId of projectIds) announce(projectId)
}
