import { flag, integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Reason } from './refusal.ts'
import { countsIn, fieldCounts, skips } from './skips.ts'

export const outcomes = ['changed', 'unchanged', 'opted_out', 'no_access', 'failed', 'pending'] as const

type Outcome = (typeof outcomes)[number]

/** What a rollout did in one project. */
export const projectOutcome = record({
  project_id: integer(),
  project_name: text(),
  outcome: oneOf(outcomes),
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
  differs: flag({ about: 'Whether it received something else than planned, because it had changed since.' }),
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
    query,
    after,
    limit,
  }: {
    rolloutId: number
    outcome: Outcome | null
    differs: boolean | null
    /** Part of the name, or the id. */
    query: string | null
    after: number | null
    limit: number
  },
): Promise<StoredOutcome[]> =>
  queries.run<StoredOutcome>(statement, [rolloutId, after, limit, outcome, query, differs])

const countOf = (name: string) => `coalesce((counts ->> '${name}')::integer, 0) as ${name}`

const plannedOrCounted = (name: string) =>
  `coalesce((planned ->> '${name}')::integer, (counts ->> '${name}')::integer, 0) as ${name}`

/** The details are read for one page only, because those of a batch are one value. A plan also knows the cards that only kept something. */
const statement = `
  with page as materialized (
    select listed.id, number, p.name, outcome, error, differs
    from (
      select id, number, failures -> id::text as error, id = any(differs_ids) as differs, case
        when done_at is null then 'pending' when id = any(no_access_ids) then 'no_access'
        when failures ? id::text then 'failed' when id = any(changed_ids) then 'changed'
        when id = any(opted_out_ids) then 'opted_out' else 'unchanged' end as outcome
      from rollout_batches, unnest(project_ids) id where rollout_id = $1 and id > coalesce($2, 0)
    ) listed join projects p on p.id = listed.id
    where ($4::text is null or outcome = $4) and ($6::boolean is null or differs = $6)
      and ($5::text is null or position(lower($5) in lower(p.name)) > 0 or p.id::text = $5)
    order by listed.id limit $3
  )
  select page.id, page.id as project_id, page.name as project_name, outcome, error, ${['added', 'updated', 'moved', 'removed'].map(countOf).join(', ')},
    ${['kept', 'used', 'overtaken', 'skipped'].map(plannedOrCounted).join(', ')},
    ${countsIn("coalesce(planned -> 'kept_fields', counts -> 'kept_fields')", 'field')} as kept_fields,
    ${countsIn("coalesce(planned -> 'skips', counts -> 'skips')", 'reason')} as skips, differs
  from page left join lateral (
    select results -> page.id::text as counts, case when done_at is not null and not page.differs then planned -> page.id::text end as planned
    from rollout_batches where rollout_id = $1 and number = page.number
  ) batch on true
  order by page.id`
