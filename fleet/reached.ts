// The rollouts that changed a project, as its history has them.
import { integer, nullable, oneOf, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import { titleAt } from '#templates/version/version.ts'

export const reachedBy = record({
  /** Of the event. */
  id: integer(),
  rollout_id: nullable(
    integer({ about: 'Null for what the project received when it was new or gained a product.' }),
  ),
  kind: oneOf(['board', 'card', 'removal', 'revert', 'reset']),
  board_id: integer(),
  board_title: text({ about: 'The title of the template in that version.' }),
  version: nullable(integer()),
  added_count: integer({ about: 'Cards that were added or came back.' }),
  updated_count: integer({ about: 'Cards that were updated.' }),
  removed_count: integer({ about: 'Cards that were deleted.' }),
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

const countOf = (name: string) => `coalesce((e.data->>'${name}')::integer, 0)`

/** What a rollout deleted has the event of a deleted card or board. Purged events have lost the kind. */
const statement = `
  select e.id, (e.data->>'rollout_id')::bigint as rollout_id,
    coalesce(e.data->>'rollout_kind', case e.kind when 'board.deleted' then 'revert' when 'card.deleted' then 'removal' else 'board' end) as kind,
    b.id as board_id, coalesce(p.template_title, v.title, b.title) as board_title, (e.data->>'version')::integer as version,
    ${countOf('added_count')} as added_count, ${countOf('updated_count')} as updated_count,
    case e.kind when 'card.deleted' then 1 when 'board.deleted' then ${countOf('cards_count')} else ${countOf('removed_count')} end as removed_count,
    e.created_at as at
  from events e join boards b on b.project_id = $1 and b.id = coalesce(e.board_id, (e.data->>'board_id')::bigint)
  left join rollouts p on p.id = (e.data->>'rollout_id')::bigint
  left join lateral (
    select ${titleAt('board', 'version.revision')} as title from master_boards thing
    join template_versions version on version.board_id = thing.id and version.number = (e.data->>'version')::integer
    where thing.id = b.master_board_id
  ) v on true
  where e.project_id = $1 and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and e.kind <> 'template.kept' and ($2::bigint is null or e.id < $2)
  order by e.id desc limit $3`
