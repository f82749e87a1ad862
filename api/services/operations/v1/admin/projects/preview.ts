import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { flag, integer, list, nullable, optional, record, text } from '#contract/schema.ts'
import { previewTemplates } from '#fleet/creating.ts'
import { badToolKeys, checkToolKeys, refuseUnknown, toolKeys } from './tool-keys.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/preview',
  summary: 'The templates that a project with these products would receive',
  about: 'A new project, or one that gains the products.',
  audience: 'superadmin',
  on: 'platform',
  input: {
    tool_keys: toolKeys,
    project_id: optional(
      integer({ about: 'The project that would gain the products; by default a new one.' }),
    ),
    ...platformInput,
  },
  success: 200,
  message: 'The templates.',
  output: record({
    templates: list(
      record({
        id: integer(),
        title: text(),
        tool_key: nullable(text()),
        cards_count: integer(),
        is_update: flag({ about: 'Whether the project has an older version of it.' }),
      }),
    ),
  }),
  failures: { 422: { ...badToolKeys, project_id: notFound } },
  check: (call) => checkToolKeys(call),
  async handle(call) {
    const { input, platformId, db, fail } = call
    await refuseUnknown(call)
    const { tool_keys: keys, project_id: projectId } = input
    const templates = await previewTemplates(db, platformId, keys ?? [], projectId ?? null)
    if (templates === 'no project') throw fail(422, { project_id: 'not_found' })
    return { templates }
  },
})
