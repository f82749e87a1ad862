import { operation } from '#api/operation.ts'
import { listViews, view } from '#boards/view/view.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/views/list',
  summary: "List the caller's saved views and those of the project, by name",
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The saved views.',
  output: record({ views: list(view, { about: 'Your own, then those of the project, each by name.' }) }),
  failures: {},
  async handle({ caller, projectId, db }) {
    return { views: await listViews(db, { projectId, userId: caller.id }) }
  },
})
