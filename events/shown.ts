// The form in which activity and history lists return an event.
import { details, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import { isNamed, shownActorId, shownName, withoutSupportIds } from './shown-name.ts'

export const shownEvent = record({
  id: integer(),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  kind: text(),
  data: details(),
  created_at: timestamp(),
})

const actorName = `case when ${isNamed} then ${shownName('e.project_id')} end`

const columnsWith = (data: string) => `
  e.id, ${shownActorId} as actor_id, ${actorName} as actor_name, e.kind, ${data} as data, wire_time(e.created_at) as created_at`

/** Without the cards of a restored group or a rollout, because a page of such events would be very large. */
const withoutCards = `(${withoutSupportIds('e.data')}) - '{cards,changed_groups,named,batch}'::text[]`

/** `e` is the event, `u` who did it. */
export const shownColumns = columnsWith(withoutCards)
/** The same with more in the data. */
export const shownWith = (more: string) => columnsWith(`${withoutCards} || ${more}`)
export const eventsWithActors = 'events e left join users u on u.id = e.actor_id'
