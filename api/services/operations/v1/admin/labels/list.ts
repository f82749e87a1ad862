import { operation } from '#api/operation.ts'
import { integer, list, record, text } from '#contract/schema.ts'
import { listLabels } from '#fleet/labeling.ts'

export default operation({
  path: '/services/operations/v1/admin/labels/list',
  summary: 'The labels of projects, the most frequent first',
  audience: 'superadmin',
  input: {},
  success: 200,
  message: 'The labels.',
  output: record({ labels: list(record({ label: text(), projects_count: integer() })) }),
  failures: {},
  async handle({ caller, db }) {
    return { labels: await listLabels(db, caller.superadminPlatformId) }
  },
})
