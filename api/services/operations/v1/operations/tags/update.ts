import { operation } from '#api/operation.ts'
import { changeTag } from '#boards/tag/changing.ts'
import { tag } from '#boards/tag/tag.ts'
import { flag, integer, optional, record, text } from '#contract/schema.ts'
import { color, icon } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/update',
  summary: 'Change a tag or its position in the list',
  audience: 'work',
  on: { tag: 'id' },
  input: {
    id: integer(),
    name: optional(text({ min: 1, max: 255 })),
    color,
    icon,
    position: optional(integer()),
    is_active: optional(flag()),
  },
  success: 200,
  message: 'The tag was updated.',
  output: record({ tag }),
  failures: {},
  writes: true,
  async handle({ input: { id, ...wanted }, caller, projectId, db }) {
    const tag = await changeTag(db, { projectId, id, actorId: caller.id }, wanted)
    return tag && { tag }
  },
})
