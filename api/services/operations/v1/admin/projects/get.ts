import { operation } from '#api/operation.ts'
import { integer, list, record } from '#contract/schema.ts'
import { readFleetProject } from '#fleet/creating.ts'
import { projectInFleet } from '#fleet/project.ts'
import { failedRollout, listFailed } from '#rollouts/failed.ts'
import { reasonSentence } from '#rollouts/refusal.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/get',
  summary: 'A project with its figures, and the templates whose last rollout failed there',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The project.',
  output: record({ project: projectInFleet, failed_rollouts: list(failedRollout) }),
  failures: {},
  async handle({ input: { id }, projectId, db, http }) {
    if (id !== projectId) return undefined
    const project = await readFleetProject(db, id)
    if (!project) return undefined
    const failed = await listFailed(db, id)
    return {
      project,
      failed_rollouts: failed.map((one) => ({
        ...one,
        error: one.error && http.say(reasonSentence(one.error)),
      })),
    }
  },
})
