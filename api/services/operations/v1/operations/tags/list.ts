import { operation } from '#api/operation.ts'
import { listTags, tag } from '#boards/tag/tag.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/list',
  summary: 'List the tags of the project, in order',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The tags of the project.',
  output: record({ tags: list(tag) }),
  failures: {},
  async handle({ projectId, db }) {
    return { tags: await listTags(db, projectId) }
  },
})
