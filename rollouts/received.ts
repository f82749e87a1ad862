// Reads what a rollout did in one project, card by card, from the history of that project.
import { flag, integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { plannedThings } from './planning.ts'

export const receivedThing = record({
  thing: oneOf(plannedThings),
  id: integer({ about: "The id of the project's board, group or card." }),
  title: nullable(text({ about: 'Null if it was permanently deleted.' })),
  change: oneOf(['added', 'returned', 'updated', 'removed', 'kept']),
  fields: list(text(), { about: 'The fields that it received.' }),
  kept: list(text(), {
    about:
      'The fields that stayed as the project customized them; `used` or `later_rollout` if a revert left the card for that reason.',
  }),
  is_moved: flag(),
})

type Received = (typeof receivedThing)['static']

/** Undefined if the rollout is not about the project; nothing where its history is too old to name the cards. */
export async function readReceived(
  queries: Queries,
  rolloutId: number,
  projectId: number,
): Promise<Received[] | undefined> {
  const [batch] = await queries.run(
    'select from rollout_batches where rollout_id = $1 and $2 = any(project_ids) limit 1',
    [rolloutId, projectId],
  )
  return batch && queries.run<Received>(statement, [rolloutId, projectId])
}

const statement = `
  select thing, id, coalesce(title, (
      select one->>'title' from jsonb_array_elements(names) one where one->>'thing' = thing and one->'id' = to_jsonb(named.id)), case thing
      when 'card' then (select title from cards where project_id = $2 and id = named.id)
      when 'group' then (select title from groups where project_id = $2 and id = named.id)
      else (select title from boards where project_id = $2 and id = named.id) end) as title,
    change, coalesce(fields, '[]') as fields, coalesce(kept, '[]') as kept, coalesce(is_moved, false) as is_moved
  from (
    select e.id as event_id, e.data->'named' as names, things.* from events e, lateral (
      select 'template' as thing, e.board_id as id, 'updated' as change, e.data->'board_fields' as fields, null::jsonb as kept, false as is_moved,
        null as title, 0::bigint as place where e.data ? 'board_fields'
      union all
      select 'template', (e.data->>'board_id')::bigint, 'removed', null, null, false, e.data->>'title', 0 where e.kind = 'board.deleted'
      union all
      select 'group', (one->>'group_id')::bigint, one->>'change', one->'fields', null, (one->>'is_moved')::boolean, null, place
      from jsonb_array_elements(e.data->'changed_groups') with ordinality as listed (one, place)
      union all
      select 'card', e.card_id, 'removed', null, null, false, e.data->>'title', 0 where e.kind = 'card.deleted'
      union all
      select 'card', (one->>'card_id')::bigint, 'updated', one->'fields', one->'kept', (one->>'is_moved')::boolean, null, place
      from jsonb_array_elements(e.data->'updated') with ordinality as listed (one, place)
      union all
      select 'card', ids.id::bigint, coalesce(one->>'change', 'kept'), one->'fields', one->'kept', (one->>'is_moved')::boolean, null, 500 + place
      from jsonb_array_elements(e.data->'cards') with ordinality as listed (one, place), jsonb_array_elements_text(one->'ids') as ids (id)
    ) things
    where e.project_id = $2 and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and (e.data->>'rollout_id')::bigint = $1
  ) named order by event_id, thing = 'card', thing = 'group', place, id`
