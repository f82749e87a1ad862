import { operation } from '#api/operation.ts'
import { type Tag, tag, tagColumns } from '#boards/tag/tag.ts'
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
    const tags = await db.run<Tag>(
      `select ${tagColumns('row_number() over (order by t.rank)')} from tags t
       where t.project_id = $1 and t.deleted_at is null order by t.rank`,
      [currentProject(caller, 'read', fail)],
    )
    return { tags }
  },
})
