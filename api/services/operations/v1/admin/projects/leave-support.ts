import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { endVisit } from '#identity/support-visits.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/leave-support',
  summary: 'End the visit that open-as-support began in this session',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer({ about: 'The id of the project.' }) },
  success: 200,
  message: 'You left the project.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input, projectId, caller, db }) {
    if (input.id !== projectId) return undefined
    await endVisit(db, projectId, caller.sessionId)
    return []
  },
})
