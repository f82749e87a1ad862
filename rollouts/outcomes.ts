import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Reason } from './refusal.ts'

export const outcomes = ['changed', 'unchanged', 'opted_out', 'no_access', 'failed', 'pending'] as const

type Outcome = (typeof outcomes)[number]

/** What a rollout did in one project. */
export const projectOutcome = record({
  project_id: integer(),
  project_name: text(),
  outcome: oneOf(outcomes),
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

/** What a rollout did in each project, or in those with one outcome, by the project's id. */
export const listOutcomes = (
  queries: Queries,
  {
    rolloutId,
    outcome,
    after,
    limit,
  }: { rolloutId: number; outcome: Outcome | null; after: number | null; limit: number },
): Promise<StoredOutcome[]> => queries.run<StoredOutcome>(statement, [rolloutId, after, limit, outcome])

const statement = `
  select listed.id, listed.id as project_id, p.name as project_name, outcome, error
  from (
    select id, failures -> id::text as error, case
      when done_at is null then 'pending' when id = any(no_access_ids) then 'no_access'
      when failures ? id::text then 'failed' when id = any(changed_ids) then 'changed'
      when id = any(opted_out_ids) then 'opted_out' else 'unchanged' end as outcome
    from rollout_batches, unnest(project_ids) id where rollout_id = $1 and id > coalesce($2, 0)
  ) listed join projects p on p.id = listed.id
  where $4::text is null or outcome = $4 order by listed.id limit $3`
