import { operation } from '#api/operation.ts'
import { countTagUsage, tagUsage } from '#boards/tag/tag.ts'
import { list, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/usage',
  summary: 'Count the cards and boards that have each tag',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The tags in use.',
  output: record({ tags: list(tagUsage, { about: 'Only tags that are in use.' }) }),
  failures: {},
  async handle({ projectId, db }) {
    return { tags: await countTagUsage(db, projectId) }
  },
})
