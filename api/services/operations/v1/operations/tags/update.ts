import { operation } from '#api/operation.ts'
import { changesOf, isEmpty } from '#boards/changes.ts'
import { orderInProject, placeIn, writeChanges } from '#boards/ordering.ts'
import { readTag, tag } from '#boards/tag/tag.ts'
import { flag, integer, optional, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
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
  async handle({ input: { id, position, ...fields }, caller, db, fail }) {
    const updated = await inProjectOf(
      { db, caller, permission: 'work', kind: 'tags', id },
      fail,
      ({ projectId }) =>
        change(db, projectId, async (queries) => {
          const order = await orderInProject(queries, 'tags', projectId)
          const before = await readTag(queries, projectId, id)
          if (!before) return undefined
          const changes = changesOf(
            before,
            { ...fields, position: placeIn(order, position) },
            { kept: ['name', 'is_active'] },
          )
          if (isEmpty(changes)) return before
          const listed = { list: 'tags', projectId, id, order } as const
          if (!(await writeChanges(queries, listed, changes))) return undefined
          const data = { tag_id: id, ...changes.told }
          await recordEvent(queries, { boardId: null, actorId: caller.id, kind: 'tag.updated', data })
          return readTag(queries, projectId, id)
        }),
    )
    return { tag: updated }
  },
})
