import { noRollout, notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { readReceived, receivedThing } from '#rollouts/received.ts'
import { readRollout } from '#rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/rollouts/get-project',
  summary: 'What a rollout did in one project, card by card',
  audience: 'superadmin',
  on: { rollout: 'id' },
  input: {
    id: integer({ about: 'The id of the rollout.' }),
    project_id: integer({ about: 'The id of the project.' }),
  },
  success: 200,
  message: 'The changes of the project.',
  output: record({ things: list(receivedThing) }),
  failures: { 404: noRollout, 422: { project_id: notFound } },
  async handle({ input: { id, project_id: projectId }, db, fail }) {
    if (!(await readRollout(db, id))) throw fail(404, 'rollout_not_found')
    const things = await readReceived(db, id, projectId)
    if (!things) throw fail(422, { project_id: 'not_found' })
    return { things }
  },
})
