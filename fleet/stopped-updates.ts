// Who stopped the updates of a project's card, as its history has it, for the operator.
import { integer, nullable, record, text, timestamp } from '#contract/schema.ts'

export const stoppedUpdates = nullable(
  record(
    {
      by: nullable(integer({ about: 'The id of who stopped them.' })),
      by_name: nullable(text()),
      at: timestamp(),
    },
    { about: 'Who stopped the updates of the card and when; null if it takes them.' },
  ),
)

/** Of a card `c`, whose events stay as long as it does; $1 the projects. */
export const stoppedUpdatesColumn = `case when not c.takes_updates then (
  select jsonb_build_object('by', e.actor_id, 'by_name', u.name, 'at', wire_time(e.created_at))
  from events e left join users u on u.id = e.actor_id
  where e.project_id = any($1::bigint[]) and e.project_id = c.project_id and e.card_id = c.id and e.kind = 'card.updates_stopped'
  order by e.id desc limit 1) end`
