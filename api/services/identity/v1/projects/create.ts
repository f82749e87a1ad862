import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { platformInput } from '#api/platform.ts'
import { record, text } from '#contract/schema.ts'
import { createProject } from '#projects/creating.ts'
import { project } from './project.ts'

export default operation({
  path: '/services/identity/v1/projects/create',
  summary: 'Create a project with the templates that every project has; the caller becomes its owner',
  audience: 'superadmin',
  on: 'platform',
  input: { name: text({ max: 255 }), ...platformInput },
  success: 201,
  message: 'The project was created.',
  output: record({ project }),
  failures: {},
  writes: true,
  handle: (call) =>
    call.db.transaction(async (queries) => {
      const { platformId, caller, quotas } = call
      const { name } = call.input
      const wanted = { name, toolKeys: [], ownerId: caller.id, platformId }
      const id = await createProject(queries, originOf(call), wanted, quotas)
      return {
        project: {
          ...{ id, platform_id: platformId, name, role: 'owner' as const },
          ...{ website_url: null, language: null, time_zone: null },
        },
      }
    }),
})
