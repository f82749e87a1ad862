import { operation } from '#api/operation.ts'
import { record, text } from '#contract/schema.ts'
import { createProject } from '#projects/creating.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/create',
  summary: 'Create a project with the templates that every project has; the caller becomes its owner',
  audience: 'superadmin',
  input: { name: text({ max: 255 }) },
  success: 201,
  message: 'The project was created.',
  output: record({ project }),
  failures: {},
  writes: true,
  handle({ input: { name }, caller, db, quotas }) {
    return db.transaction(async (queries) => {
      const id = await createProject(queries, { name, toolKeys: [], ownerId: caller.id }, quotas)
      return { project: { id, name, role: 'owner' as const, website_url: null } }
    })
  },
})
