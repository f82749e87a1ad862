// The rollouts that changed a project, as its history has them.
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'

export const reachedBy = record({
  /** Of the event. */
  id: integer(),
  rollout_id: nullable(
    integer({ about: 'Null for what the project received when it was new or gained a product.' }),
  ),
  kind: oneOf(['board', 'card', 'removal', 'revert', 'reset']),
  board_id: integer(),
  board_title: text(),
  version: nullable(integer()),
  added_count: integer({ about: 'Cards that were added.' }),
  updated_count: integer({ about: 'Cards that were updated.' }),
  at: timestamp(),
})

export type Reached = (typeof reachedBy)['static']

/** One page, newest first; `after` is the last id of the page before. */
export function listReached(
  queries: Queries,
  projectId: number,
  { after, limit }: { after: number | null; limit: number },
): Promise<Reached[]> {
  return queries.run<Reached>(statement, [projectId, after, limit])
}

const statement = `
  select e.id, (e.data->>'rollout_id')::bigint as rollout_id, e.data->>'rollout_kind' as kind, b.id as board_id, b.title as board_title,
    (e.data->>'version')::integer as version, coalesce((e.data->>'added_count')::integer, 0) as added_count,
    coalesce((e.data->>'updated_count')::integer, 0) as updated_count, e.created_at as at
  from events e join boards b on b.project_id = $1 and b.id = e.board_id
  where e.project_id = $1 and e.kind = 'template.rolled_out' and ($2::bigint is null or e.id < $2)
  order by e.id desc limit $3`
