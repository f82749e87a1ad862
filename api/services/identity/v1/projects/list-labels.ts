import { operation } from '#api/operation.ts'
import { list, record, text } from '#contract/schema.ts'
import { labelsOf } from '#fleet/labeling.ts'

export default operation({
  path: '/services/identity/v1/projects/list-labels',
  summary: 'The labels that the operator gave the project, by name',
  audience: 'manage',
  on: 'project',
  input: {},
  success: 200,
  message: 'The labels.',
  output: record({ labels: list(text()) }),
  failures: {},
  async handle({ projectId, db }) {
    return { labels: await labelsOf(db, projectId) }
  },
})
