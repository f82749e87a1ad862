import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { createTag } from '#boards/tag/creating.ts'
import { tag } from '#boards/tag/tag.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { color, icon } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/create',
  summary: 'Create a tag for the cards of the project',
  audience: 'work',
  on: 'project',
  input: {
    name: text({ max: 255 }),
    color,
    icon,
    position: optional(integer()),
  },
  success: 201,
  message: 'The tag was created.',
  output: record({ tag }),
  failures: { 422: { name: limitReached } },
  writes: true,
  async handle({ input, caller, projectId, db, quotas, fail }) {
    const creation = createTag(db, quotas, { projectId, actorId: caller.id }, input)
    return { tag: await creation.catch(onLimit((limit) => fail(422, { name: limit }))) }
  },
})
