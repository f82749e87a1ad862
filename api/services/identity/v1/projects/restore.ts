import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { beforehand } from '#api/scope.ts'
import { integer, record, text } from '#contract/schema.ts'
import { restoreProject } from '#projects/deletion/restoring.ts'

export default operation({
  path: '/services/identity/v1/projects/restore',
  summary: 'Restore a deleted project with everything in it, within 30 days',
  about:
    'For owners of the project and superadmins. Subscriptions that were canceled by the deletion stay canceled; `subscriptions/resume` undoes that.',
  audience: 'signed in',
  input: { id: integer() },
  success: 200,
  message: 'The project was restored.',
  output: record({ project: record({ id: integer(), name: text() }) }),
  failures: {
    403: { only_owners: 'Only owners can restore the project.' },
    404: { project_not_found: beforehand[404].project_not_found },
  },
  changes: true,
  async handle({ input: { id }, caller, db, http, log, fail }) {
    const restored = await restoreProject(db, id, caller, originOf({ http, caller, log }))
    if (restored === 'no project') throw fail(404, 'project_not_found')
    if (restored === 'not allowed') throw fail(403, 'only_owners')
    return { project: { id, name: restored.name } }
  },
})
