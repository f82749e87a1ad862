import { audited } from '#api/audited.ts'
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
    audited(call, async ({ input: { name }, platformId, caller, db, quotas, audit }) => {
      const owner = { id: caller.id, origin: originOf(call) }
      const wanted = { name, toolKeys: [], owner, platformId }
      const id = await createProject(db, wanted, quotas)
      await audit({ kind: 'project.created', projectId: id, details: { name } })
      return {
        project: {
          ...{ id, platform_id: platformId, name, role: 'owner' as const },
          ...{ website_url: null, language: null, time_zone: null },
        },
      }
    }),
})
