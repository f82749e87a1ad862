import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { readFleetProject } from '#fleet/creating.ts'
import { projectInFleet } from '#fleet/project.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/get',
  summary: 'A project with its figures',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The project.',
  output: record({ project: projectInFleet }),
  failures: {},
  async handle({ input: { id }, projectId, db }) {
    if (id !== projectId) return undefined
    const project = await readFleetProject(db, id)
    return project && { project }
  },
})
