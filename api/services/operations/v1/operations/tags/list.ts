import { operation } from '#api/operation.ts'
import { listTags, tag } from '#boards/tag/tag.ts'
import { list, record } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/list',
  summary: 'The tags of the project, in their order',
  audience: 'read',
  input: {},
  success: 200,
  message: 'The tags of the project.',
  output: record({ tags: list(tag) }),
  failures: [403, 422],
  async handle({ caller, db, fail }) {
    return { tags: await listTags(db, currentProject(caller, 'read', fail)) }
  },
})
