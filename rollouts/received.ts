// Reads what a rollout did in projects, card by card, from their history.
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
  return batch && (await receivedIn(queries, rolloutId, [projectId])).get(projectId)
}

/** The same for several projects that the rollout is about. */
export async function receivedIn(
  queries: Queries,
  rolloutId: number,
  projectIds: number[],
): Promise<Map<number, Received[]>> {
  const received = new Map<number, Received[]>(projectIds.map((id) => [id, []]))
  const things = await queries.run<Received & { project_id: number }>(statement, [rolloutId, projectIds])
  for (const { project_id: id, ...thing } of things) received.get(id)?.push(thing)
  return received
}

const titleOf = (table: string) => `(
  select title from ${table} own where own.project_id = any($2::bigint[]) and own.project_id = named.project_id and own.id = named.id)`

const statement = `
  select project_id, thing, id, coalesce(title, (
      select one->>'title' from jsonb_array_elements(names) one where one->>'thing' = thing and one->'id' = to_jsonb(named.id)), case thing
      when 'card' then ${titleOf('cards')} when 'group' then ${titleOf('groups')} else ${titleOf('boards')} end) as title,
    change, coalesce(fields, '[]') as fields, coalesce(kept, '[]') as kept, coalesce(is_moved, false) as is_moved
  from (
    select e.project_id, e.id as event_id, e.data->'named' as names, things.* from events e, lateral (
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
    where e.project_id = any($2::bigint[]) and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and (e.data->>'rollout_id')::bigint = $1
  ) named order by project_id, event_id, thing = 'card', thing = 'group', place, id`
