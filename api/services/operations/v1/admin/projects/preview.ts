import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { integer, list, nullable, record, text } from '#contract/schema.ts'
import { previewTemplates } from '#fleet/creating.ts'
import { badToolKeys, checkToolKeys, toolKeys } from './tool-keys.ts'

export default operation({
  path: '/services/operations/v1/admin/projects/preview',
  summary: 'The templates that a new project with these products would receive',
  audience: 'superadmin',
  on: 'platform',
  input: { tool_keys: toolKeys, ...platformInput },
  success: 200,
  message: 'The templates.',
  output: record({
    templates: list(
      record({ id: integer(), title: text(), tool_key: nullable(text()), cards_count: integer() }),
    ),
  }),
  failures: { 422: badToolKeys },
  check: checkToolKeys,
  async handle({ input, platformId, db }) {
    return { templates: await previewTemplates(db, platformId, input.tool_keys ?? []) }
  },
})
