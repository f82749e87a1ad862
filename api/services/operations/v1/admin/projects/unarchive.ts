import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, nothing } from '#contract/schema.ts'
import { unarchiveProject } from '#projects/archiving.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/unarchive',
  summary: 'Bring an archived project back',
  about:
    'The next rollout of a template brings the project what it has missed. Repeating it changes nothing.',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer({ about: 'The id of the project.' }) },
  success: 200,
  message: 'The project was brought back.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input, projectId, caller, db, http, log }) {
    if (input.id !== projectId) return undefined
    const origin = originOf({ http, caller, log })
    const isFound = await unarchiveProject(db, { projectId, actorId: caller.id }, origin)
    return isFound ? [] : undefined
  },
})
