import { operation } from '#api/operation.ts'
import { refusedOn } from '#api/quota.ts'
import { toldOf } from '#boards/changes.ts'
import { arranged, orderInProject, writeOrder } from '#boards/ordering.ts'
import { readTag, type Tag, tag } from '#boards/tag/tag.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { currentProject } from '#identity/caller.ts'
import { refuseGrowth } from '#quotas/quotas.ts'
import { color, icon } from '../fields.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/create',
  summary: 'Create a tag for the cards of the project',
  audience: 'work',
  input: {
    name: text({ max: 255 }),
    color,
    icon,
    position: optional(integer()),
  },
  success: 201,
  message: 'The tag was created.',
  output: record({ tag }),
  failures: [403, 422],
  writes: true,
  async handle({ input, caller, db, quotas, fail }) {
    const projectId = currentProject(caller, 'work', fail)
    const creation = change(db, projectId, async (queries) => {
      const { sql } = queries
      const order = await orderInProject(queries, 'tags', projectId)
      refuseGrowth(quotas, 'tagsPerProject', { before: order.length, after: order.length + 1 })
      const [inserted] = await sql<{ id: number }[]>`
        insert into tags (project_id, name, color, icon, created_by)
        values (${projectId}, ${input.name}, ${input.color ?? null}, ${input.icon ?? null}, ${caller.id}) returning id`
      const id = inserted?.id as number
      if (typeof input.position === 'number')
        await writeOrder(
          queries,
          'tags',
          projectId,
          arranged([...order, id], [{ id, position: input.position }]),
        )
      const made = (await readTag(queries, projectId, id)) as Tag
      const data = { tag_id: id, name: input.name, position: made.position, ...toldOf(input) }
      await recordEvent(queries, { boardId: null, actorId: caller.id, kind: 'tag.created', data })
      return made
    })
    return { tag: await creation.catch(refusedOn(fail, 'name')) }
  },
})
