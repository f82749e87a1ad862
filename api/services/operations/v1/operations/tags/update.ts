import { operation } from '#api/operation.ts'
import { changeTag } from '#boards/tag/changing.ts'
import { tag } from '#boards/tag/tag.ts'
import { flag, integer, optional, record, text } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { color, icon } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/update',
  summary: 'Change a tag, or move it to another place of the list',
  audience: 'work',
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
  failures: [403, 404],
  writes: true,
  async handle({ input: { id, ...wanted }, caller, db, fail }) {
    const question = { db, caller, permission: 'work', kind: 'tags', id } as const
    const tag = await inProjectOf(question, fail, ({ projectId }) =>
      changeTag(db, { projectId, id, actorId: caller.id }, wanted),
    )
    return { tag }
  },
})
