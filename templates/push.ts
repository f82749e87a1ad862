// The record of a rollout (`pushes` and `push_batches`): its kinds, its statuses and its results so far.
// starting.ts, pusher.ts, closing.ts, canceling.ts and resuming.ts write it.
import type { Queries } from '#database/connect.ts'

export const pushKinds = ['board', 'card', 'removal'] as const
export const pushStatuses = ['running', 'canceling', 'done', 'canceled'] as const

export type PushKind = (typeof pushKinds)[number]
export type PushStatus = (typeof pushStatuses)[number]

interface Counts {
  projects: number
  changed: number
  unchanged: number
  opted_out: number
  no_access: number
  failed: number
  pending: number
}

const sum = (value: string, condition: string) => `coalesce(sum(${value}) filter (where ${condition}), 0)`

/** `p` is the rollout. Every batch commits as a whole, so the finished batches are exactly what has happened. */
export const countsOf = `(
  select jsonb_build_object('projects', listed, 'changed', changed, 'opted_out', opted_out, 'no_access', no_access,
    'failed', failed, 'pending', pending,
    'unchanged', listed - changed - opted_out - no_access - failed - pending)
  from (
    select ${sum('cardinality(project_ids)', 'true')} as listed,
      ${sum('cardinality(changed_ids)', 'done_at is not null')} as changed,
      ${sum('(select count(*) from unnest(opted_out_ids) id where id <> all(changed_ids))', 'done_at is not null')} as opted_out,
      ${sum('cardinality(no_access_ids)', 'done_at is not null')} as no_access,
      ${sum('(select count(*) from jsonb_object_keys(failures))', 'done_at is not null')} as failed,
      ${sum('cardinality(project_ids)', 'done_at is null')} as pending
    from push_batches where push_id = p.id
  ) sums)`

export interface PushResult {
  counts: Counts
  /** Projects whose copy is up to date. A project that opted out does not count, even if it still has cards of the board elsewhere. */
  syncedCount: number
}

/** Reads the results of a rollout in the projects it has reached. */
export async function readResult(queries: Queries, pushId: number): Promise<PushResult> {
  const [row] = await queries.run<PushResult>(resultStatement, [pushId])
  return row as PushResult
}

const resultStatement = `
  select ${countsOf} as counts, (
    select coalesce(sum(cardinality(project_ids) - cardinality(no_access_ids) - cardinality(opted_out_ids)
      - (select count(*) from jsonb_object_keys(failures))), 0)::bigint
    from push_batches where push_id = p.id and done_at is not null
  ) as "syncedCount"
  from pushes p where p.id = $1`
