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
  card_title: nullable(text({ about: 'The title of the card, if the rollout was about one card.' })),
  version: nullable(integer()),
  added_count: integer({ about: 'Cards that were added or came back.' }),
  updated_count: integer({ about: 'Cards that received new values.' }),
  moved_count: integer({ about: 'Cards that came to another place.' }),
  removed_count: integer({ about: 'Cards that were deleted.' }),
  kept_count: integer({ about: 'Cards that kept something.' }),
  used_count: integer({ about: 'How many of these a revert left because they are in use.' }),
  overtaken_count: integer({
    about: 'How many of these a revert left because a later rollout has changed them.',
  }),
  skipped_count: integer({ about: 'Cards that were left out.' }),
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

/** What the rollout counted in the project, as its results have it; else what the event says. */
const counted = (name: string, inEvent = '0') =>
  `case when counts is null then ${inEvent} else coalesce((counts->>'${name}')::integer, 0) end as ${name}_count`
/** How many cards stayed as they were. The plan counts them even where the rollout changed nothing; no results are stored of such a project. */
const left = (name: string) =>
  `coalesce((planned->>'${name}')::integer, (counts->>'${name}')::integer, 0) as ${name}_count`
const saidIn = (name: string) => `coalesce((data->>'${name}')::integer, 0)`

/** What a rollout deleted has the event of a deleted card or board. Purged events have lost the kind, and older ones do not name the batch. */
const statement = `
  with page as materialized (
    select e.id, (e.data->>'rollout_id')::bigint as rollout_id, e.kind as event_kind, e.data, e.created_at, b.id as board_id, coalesce(p.template_title, v.title, b.title) as board_title,
      case when p.card_id is not null then p.title end as card_title
    from events e join boards b on b.project_id = $1 and b.id = coalesce(e.board_id, (e.data->>'board_id')::bigint)
    left join rollouts p on p.id = (e.data->>'rollout_id')::bigint
    left join lateral (
      select ${titleAt('board', 'version.revision')} as title from master_boards thing
      join template_versions version on version.board_id = thing.id and version.number = (e.data->>'version')::integer
      where thing.id = b.master_board_id
    ) v on true
    where e.project_id = $1 and (e.kind = 'template.rolled_out' or e.data ? 'rollout_id') and e.kind <> 'template.kept' and ($2::bigint is null or e.id < $2)
    order by e.id desc limit $3
  )
  select page.id, page.rollout_id,
    coalesce(data->>'rollout_kind', case event_kind when 'board.deleted' then 'revert' when 'card.deleted' then 'removal' else 'board' end) as kind,
    board_id, board_title, card_title, (data->>'version')::integer as version,
    ${counted('added', saidIn('added_count'))}, ${counted('updated', saidIn('updated_count'))}, ${counted('moved')},
    ${counted('removed', `case event_kind when 'card.deleted' then 1 when 'board.deleted' then ${saidIn('cards_count')} else ${saidIn('removed_count')} end`)},
    ${['kept', 'used', 'overtaken', 'skipped'].map(left).join(', ')}, created_at as at
  from page left join lateral (
    select results -> $1::bigint::text as counts, case when not $1 = any(differs_ids) then planned -> $1::bigint::text end as planned from (
      select * from rollout_batches b where b.rollout_id = page.rollout_id and b.number = (data->>'batch')::integer
      union all select * from rollout_batches b where not data ? 'batch' and b.rollout_id = page.rollout_id and $1 = any(b.project_ids)
    ) found where done_at is not null
  ) batch on true
  order by page.id desc`
