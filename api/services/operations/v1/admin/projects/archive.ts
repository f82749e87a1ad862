import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { integer, nothing } from '#contract/schema.ts'
import { archiveProject } from '#projects/archiving.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/archive',
  summary: 'Archive a project, so that it can only be read',
  about:
    'Members can still read it. Whatever changes it answers 403 `project_archived`, except deleting it, paying for it and canceling. Rollouts, theme campaigns, reminders, checks of its website and the figures of all projects leave it out. Repeating it changes nothing.',
  audience: 'superadmin',
  on: { project: 'id' },
  input: { id: integer({ about: 'The id of the project.' }) },
  success: 200,
  message: 'The project was archived.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ input, projectId, caller, db, http, log }) {
    if (input.id !== projectId) return undefined
    const origin = originOf({ http, caller, log })
    const isFound = await archiveProject(db, { projectId, actorId: caller.id }, origin)
    return isFound ? [] : undefined
  },
})
