import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { integer, list, nullable, oneOf, optional, record, text } from '#contract/schema.ts'
import { push, readPush } from './push.ts'

const outcomes = ['changed', 'unchanged', 'opted_out', 'no_access', 'failed', 'pending'] as const

const result = record({
  project_id: integer(),
  project_name: text(),
  outcome: oneOf(outcomes),
  /** Why it failed. */
  error: nullable(text()),
})

export default operation({
  path: '/services/operations/v1/admin/pushes/get',
  summary: 'How far a push is, and what came of it in each project, a page at a time',
  audience: 'superadmin',
  input: { id: integer(), outcome: optional(oneOf(outcomes)), ...pageInput },
  success: 200,
  message: 'The push.',
  output: record({ push, results: list(result), ...pageOutput }),
  failures: { 404: noRollout, 422: badCursor },
  async handle({ input, db, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await readPush(db, input.id)
    if (!found) throw fail(404, 'rollout_not_found')
    const results = await db.run<(typeof result)['static'] & { id: number }>(resultsStatement, [
      input.id,
      after,
      limit + 1,
      input.outcome ?? null,
    ])
    const { rows, next_cursor } = pageOf(results, limit)
    return { push: found, results: rows, next_cursor }
  },
})

const resultsStatement = `
  select listed.id, listed.id as project_id, p.name as project_name, outcome, error
  from (
    select id, failures ->> id::text as error, case
      when done_at is null then 'pending' when id = any(no_access_ids) then 'no_access'
      when failures ? id::text then 'failed' when id = any(changed_ids) then 'changed'
      when id = any(opted_out_ids) then 'opted_out' else 'unchanged' end as outcome
    from push_batches, unnest(project_ids) id where push_id = $1 and id > coalesce($2, 0)
  ) listed join projects p on p.id = listed.id
  where $4::text is null or outcome = $4 order by listed.id limit $3`
