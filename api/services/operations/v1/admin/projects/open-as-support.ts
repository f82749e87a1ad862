import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { flag, integer, nothing, optional, text } from '#contract/schema.ts'
import { recordVisit } from '#fleet/supporting.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/open-as-support',
  summary: 'Record in the audit log that the caller opens a project to help, and why',
  about:
    'The web app asks for this before a superadmin opens a project that they do not belong to. It opens it for reading, and for changes after it was recorded once more with `with_changes`. Calls of the API are not affected. What superadmins change is shown in the project as done by Cardinal support.',
  audience: 'superadmin',
  on: { project: 'id' },
  input: {
    id: integer({ about: 'The id of the project.' }),
    reason: text({ max: 500, about: 'Why the project is opened, for its audit log.' }),
    with_changes: optional(flag()),
  },
  success: 200,
  message: 'The visit was recorded.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input, projectId, caller, db, http, log }) {
    if (input.id !== projectId) return undefined
    const origin = originOf({ http, caller, log })
    await recordVisit(db, origin, { projectId, reason: input.reason, mayChange: input.with_changes ?? false })
    return []
  },
})
