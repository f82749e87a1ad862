import { flag, integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Reason } from './refusal.ts'
import { isStaged } from './rollout.ts'
import { countsIn, fieldCounts, skips } from './skips.ts'

export const outcomes = ['changed', 'unchanged', 'opted_out', 'no_access', 'failed', 'pending'] as const

type Outcome = (typeof outcomes)[number]

/** What a rollout did in one project. */
export const projectOutcome = record({
  project_id: integer(),
  project_name: text(),
  outcome: oneOf(outcomes),
  stage: nullable(
    integer({ about: 'The number of its stage; null without stages, and where nothing was to be done.' }),
  ),
  added: integer({
    about:
      'How many cards were added or came back; 0 for rollouts from before this was counted, here and below.',
  }),
  updated: integer({ about: 'How many cards received new values.' }),
  moved: integer({ about: 'How many cards came to another place.' }),
  kept: integer({ about: 'How many cards kept something.' }),
  used: integer({ about: 'Of these, how many a revert left because they are in use.' }),
  overtaken: integer({ about: 'Of these, how many a revert left because a later rollout has changed them.' }),
  removed: integer({ about: 'How many cards were deleted.' }),
  kept_fields: fieldCounts,
  skipped: integer({ about: 'How many cards were left out.' }),
  skips,
  differs: flag({
    about:
      'Whether it received something else than planned, because it or the template had changed since, or failed although the plan did not foresee that.',
  }),
  /** Why it failed, and what to do. */
  error: nullable(text()),
  /** The database's message about the failure, in English. */
  technical_details: nullable(text()),
})

/** As stored: the reason is said in the reader's language by the operation. */
type StoredOutcome = Omit<(typeof projectOutcome)['static'], 'error' | 'technical_details'> & {
  id: number
  error: Reason | string | null
}

/** What a rollout did in each project, or in those with one outcome or name, by the project's id. */
export const listOutcomes = (
  queries: Queries,
  {
    rolloutId,
    outcome,
    differs,
    undone,
    query,
    after,
    limit,
  }: {
    rolloutId: number
    outcome: Outcome | null
    differs: boolean | null
    /** Only the projects with these ids, or only the others. */
    undone: { ids: number[]; isWanted: boolean } | null
    /** Part of the name, or the id. */
    query: string | null
    after: number | null
    limit: number
  },
): Promise<StoredOutcome[]> =>
  queries.run<StoredOutcome>(
    statementOf(outcome === null ? 'select unnest(project_ids)' : idsWith[outcome], query !== null),
    [rolloutId, after, limit, query, differs, undone?.ids ?? null, undone?.isWanted ?? null],
  )

const failedIds = 'select jsonb_object_keys(failures)::bigint'

/** The projects of a batch with an outcome; looking for each project in these lists takes many times as long. */
const idsWith: Readonly<Record<Outcome, string>> = {
  pending: 'select unnest(project_ids) where done_at is null',
  no_access: 'select unnest(no_access_ids) where done_at is not null',
  failed: `${failedIds} where done_at is not null`,
  changed: 'select unnest(changed_ids) where done_at is not null',
  opted_out: 'select unnest(opted_out_ids) where done_at is not null except select unnest(changed_ids)',
  unchanged: `select unnest(project_ids) where done_at is not null
    except select unnest(no_access_ids || changed_ids || opted_out_ids) except ${failedIds}`,
}

const countOf = (name: string) => `coalesce((counts ->> '${name}')::integer, 0) as ${name}`

const plannedOrCounted = (name: string) =>
  `coalesce((planned ->> '${name}')::integer, (counts ->> '${name}')::integer, 0) as ${name}`

/**
 * One page of projects, $3 after the project $2, of the projects that `ids` lists in each batch of the rollout $1. Names are looked at only if $4 is
 * searched for.
 */
export const pageOfBatches = (ids: string, isSearched: boolean, condition = 'true') => `
  ${isSearched ? 'named as materialized (select id from projects where position(lower($4::text) in lower(name)) > 0 or id::text = $4),' : ''}
  page as materialized (
    select listed.id, number from rollout_batches cross join lateral (${ids}) listed (id) ${isSearched ? 'join named on named.id = listed.id' : ''}
    where rollout_id = $1 and listed.id > coalesce($2::bigint, 0) and ${isSearched ? 'true' : '$4::text is null'} and ${condition}
    order by listed.id limit $3
  )`

const isWanted = `($5::boolean is null or (listed.id = any(differs_ids)) = $5)
  and ($7::boolean is null or (listed.id = any($6::bigint[])) = $7)`

/** The details are read for one page only, because those of a batch are one value. Where nothing changed, only the plan counts the cards that stayed as they were. */
const statementOf = (ids: string, isSearched: boolean) => `
  with ${pageOfBatches(ids, isSearched, isWanted)}
  select id, id as project_id, project_name, outcome, stage, error, ${['added', 'updated', 'moved', 'removed'].map(countOf).join(', ')},
    ${['kept', 'used', 'overtaken', 'skipped'].map(plannedOrCounted).join(', ')},
    ${countsIn("coalesce(planned -> 'kept_fields', counts -> 'kept_fields')", 'field')} as kept_fields,
    ${countsIn("coalesce(planned -> 'skips', counts -> 'skips')", 'reason')} as skips, differs
  from (
    select page.id, p.name as project_name, failures -> page.id::text as error, page.id = any(differs_ids) as differs,
      case when done_at is null then 'pending' when page.id = any(no_access_ids) then 'no_access'
        when failures ? page.id::text then 'failed' when page.id = any(changed_ids) then 'changed'
        when page.id = any(opted_out_ids) then 'opted_out' else 'unchanged' end as outcome,
      case when r.stages is not null and ${isStaged} and page.id <> all(no_access_ids) then b.stage end as stage, results -> page.id::text as counts,
      case when done_at is not null and page.id <> all(differs_ids) then planned -> page.id::text end as planned
    from page join projects p on p.id = page.id join rollout_batches b on b.rollout_id = $1 and b.number = page.number
      join rollouts r on r.id = $1
    offset 0
  ) listed order by id`
