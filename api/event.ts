import { details, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

/** What can happen; the part before the dot is what it happened to. */
type EventKind =
  | `board.${'created' | 'updated' | 'deleted' | 'restored'}`
  | `group.${'created' | 'updated' | 'deleted' | 'restored'}`
  | 'groups.reordered'
  | `card.${'created' | 'updated' | 'moved' | 'deleted' | 'restored' | 'reset'}`
  | 'cards.dismissed'
  | `comment.${'created' | 'updated' | 'deleted' | 'restored'}`
  | `tag.${'created' | 'updated' | 'deleted'}`
  | 'template.pushed'
  | 'theme.created'
  | `theme_version.${'created' | 'submitted' | 'approved' | 'rejected' | 'published' | 'deprecated' | 'restored' | 'chosen'}`

interface NewEvent {
  projectId: number
  /** 0 for what concerns every board of the project. */
  boardId: number
  cardId?: number
  actorId: number
  kind: EventKind
  data: Record<string, unknown>
}

/** In the transaction of the change itself: a change without its event would be seen by no open board and no kept one. */
export async function writeEvent({ sql }: Queries, event: NewEvent): Promise<void> {
  const { projectId, boardId, cardId = null, actorId, kind, data } = event
  await sql`
    insert into events (project_id, board_id, card_id, actor_id, kind, data)
    values (${projectId}, ${boardId}, ${cardId}, ${actorId}, ${kind}, ${sql.json(data as never)})`
}

/** An event as people are told of it. */
export const toldEvent = record({
  id: integer(),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  kind: text(),
  data: details(),
  created_at: timestamp(),
})

/** `e` is the event, `u` who did it. */
export const toldColumns =
  'e.id, e.actor_id, u.name as actor_name, e.kind, e.data, wire_time(e.created_at) as created_at'
export const eventsWithActors = 'events e left join users u on u.id = e.actor_id'
