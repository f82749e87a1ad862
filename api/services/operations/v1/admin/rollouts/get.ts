import { noRollout } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { badCursor, pageInput, pageOf, pageOutput, readPage } from '#api/page.ts'
import { flag, integer, list, nullable, oneOf, optional, record, text } from '#contract/schema.ts'
import { listOutcomes, outcomes, projectOutcome } from '#rollouts/outcomes.ts'
import { receivedIn, receivedThing } from '#rollouts/received.ts'
import { reasonSentence, technicalDetails } from '#rollouts/refusal.ts'
import { readRequest, readRollout, readTakenBack, rollout, takenBack } from '#rollouts/rollout.ts'
import { listUndone } from '#rollouts/undone.ts'
import { requestInput } from './request.ts'

const result = record({
  ...projectOutcome.properties,
  things: nullable(
    list(receivedThing, {
      about: 'What it did card by card, as in `get-project`; null unless `with_things` is given.',
    }),
  ),
})

const request = nullable(
  record(requestInput, {
    about:
      'Of a plan: what to give `plan`, with its template, version and card, or `revert` to plan it again; null once the rollout has begun.',
  }),
)
type Request = (typeof request)['static']

export default operation({
  path: '/services/operations/v1/admin/rollouts/get',
  summary: 'The progress of a rollout, and its outcome in each project, a page at a time',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    outcome: optional(oneOf(outcomes)),
    differs: optional(
      flag({ about: 'Only projects that received something else than planned, or only the others.' }),
    ),
    is_undone: optional(
      flag({
        about:
          'True: only projects that have undone part of it, by deleting a card that it added or changing a field that it changed. False: only the other projects. Each call reads this from the history of the projects.',
      }),
    ),
    query: optional(text({ max: 255, about: 'Part of the name of a project, or its id; by default all.' })),
    with_things: optional(flag({ about: 'Whether each result also has its `things`.' })),
    ...pageInput,
  },
  success: 200,
  message: 'The rollout.',
  output: record({
    rollout,
    request,
    taken_back: nullable(takenBack),
    results: list(result),
    ...pageOutput,
  }),
  failures: { 404: noRollout, 422: badCursor },
  async handle({ input, db, http, fail }) {
    const { after, limit } = readPage(input, fail)
    const found = await readRollout(db, input.id)
    if (!found) throw fail(404, 'rollout_not_found')
    const { id: rolloutId, outcome = null, differs = null, is_undone = null, query = null } = input
    const undone = is_undone === null ? null : { ids: await listUndone(db, rolloutId), isWanted: is_undone }
    const wanted = { rolloutId, outcome, differs, undone, query, after, limit: limit + 1 }
    const results = await listOutcomes(db, wanted)
    const { rows, next_cursor } = pageOf(results, limit)
    const projectIds = rows.map((row) => row.project_id)
    const things = input.with_things ? await receivedIn(db, rolloutId, projectIds) : undefined
    const said = rows.map((row) => ({
      ...row,
      things: things?.get(row.project_id) ?? null,
      error: row.error && http.say(reasonSentence(row.error)),
      technical_details: row.error && technicalDetails(row.error),
    }))
    const again = found.started_at === null ? await readRequest<Request>(db, rolloutId) : null
    const taken_back = await readTakenBack(db, found)
    return { rollout: found, request: again, taken_back, results: said, next_cursor }
  },
})
