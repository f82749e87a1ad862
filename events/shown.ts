// The form in which activity and history lists return an event.
import { details, integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import { supportName } from './support-name.ts'

export const shownEvent = record({
  id: integer(),
  actor_id: nullable(integer()),
  actor_name: nullable(text()),
  kind: text(),
  data: details(),
  created_at: timestamp(),
})

/** Members of a project know neither who started a rollout nor which superadmin helped them. */
const actorName = `case when e.data ? 'rollout_id' then null when u.superadmin and not exists (
    select from memberships helped where helped.project_id = e.project_id and helped.user_id = u.id)
  then '${supportName}' else u.name end`

/** `e` is the event, `u` who did it. Without the cards of a restored group, because a page of such events would be very large. */
export const shownColumns = `
  e.id, e.actor_id, ${actorName} as actor_name, e.kind, e.data - 'cards' as data, wire_time(e.created_at) as created_at`
export const eventsWithActors = 'events e left join users u on u.id = e.actor_id'
