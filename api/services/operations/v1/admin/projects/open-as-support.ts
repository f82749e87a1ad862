import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { flag, integer, nothing, optional, text } from '#contract/schema.ts'
import { openVisit } from '#identity/support-visits.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/open-as-support',
  summary: 'Open a project to help, and record why in its audit log',
  about:
    'The web app asks for this before a superadmin opens a project that they do not belong to. For eight hours, or until `leave-support`, the session of the call can do no more there than a viewer (403 `support_read_only`), unless `with_changes` is true. Sessions that have not opened the project are not affected. What superadmins change is shown in the project as done by Cardinal support.',
  audience: 'superadmin',
  on: { project: 'id' },
  input: {
    id: integer({ about: 'The id of the project.' }),
    reason: text({ max: 500, about: 'Why the project is opened, for its audit log.' }),
    with_changes: optional(flag()),
  },
  success: 200,
  message: 'The project is open.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input, projectId, caller, db, http, log }) {
    if (input.id !== projectId) return undefined
    const { reason, with_changes: mayChange = false } = input
    const { sessionId } = caller
    const origin = originOf({ http, caller, log })
    await openVisit(db, origin, { projectId, sessionId, reason, mayChange: mayChange ?? false })
    return []
  },
})
