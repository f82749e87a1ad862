// The form in which activity and history lists return an event.
import { details, integer, nullable, record, text, timestamp } from '#contract/schema.ts'

export const shownEvent = record({
  id: integer(),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  kind: text(),
  data: details(),
  created_at: timestamp(),
})

/**
 * `e` is the event, `u` who did it; members of a project do not know the person who started a rollout. Without the cards of a restored
 * group, because a page of such events would be very large.
 */
export const shownColumns = `e.id, e.actor_id, case when not e.data ? 'rollout_id' then u.name end as actor_name, e.kind,
  e.data - 'cards' as data, wire_time(e.created_at) as created_at`
export const eventsWithActors = 'events e left join users u on u.id = e.actor_id'
