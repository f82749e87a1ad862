// The templates whose last rollout failed in a project, for the project's page.
import { integer, nullable, record, text, timestamp } from '#contract/schema.ts'
import type { Queries } from '#database/connect.ts'
import type { Reason } from './refusal.ts'

export const failedRollout = record({
  board_id: integer({ about: 'The id of the template.' }),
  board_title: text({ about: 'The title of the template when it was rolled out, or now.' }),
  rollout_id: nullable(integer({ about: 'Null if its record is no longer kept.' })),
  version: nullable(integer()),
  at: nullable(timestamp()),
  error: nullable(text({ about: 'Why it failed, and what to do.' })),
})

/** As stored: the reason is said in the reader's language by the operation. */
type StoredFailure = Omit<(typeof failedRollout)['static'], 'error'> & { error: Reason | string | null }

/** The last rollout of each of these templates that failed there. */
export const listFailed = (queries: Queries, projectId: number): Promise<StoredFailure[]> =>
  queries.run<StoredFailure>(
    `select m.id as board_id, coalesce(last.template_title, m.title) as board_title, last.id as rollout_id, last.version, last.error, last.at
     from rollout_refusals refusal join master_boards m on m.id = refusal.master_board_id and m.deleted_at is null
     left join lateral (
       select p.id, p.template_title, v.number as version, b.failures -> $1::bigint::text as error, wire_time(b.done_at) as at
       from rollouts p join rollout_batches b on b.rollout_id = p.id and b.failed > 0 and b.failures ? $1::bigint::text
       left join template_versions v on v.board_id = p.board_id and v.revision = p.revision
       where p.board_id = refusal.master_board_id order by p.id desc limit 1
     ) last on true
     where refusal.project_id = $1 order by m.id`,
    [projectId],
  )
