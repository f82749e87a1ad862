import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/tags/delete',
  summary: 'Delete a tag; cards that have it lose it',
  audience: 'work',
  input: { id: integer() },
  success: 200,
  message: 'The tag was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await inProjectOf({ db, caller, permission: 'work', kind: 'tags', id }, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [tag] = await sql<{ name: string }[]>`
          select name from tags where project_id = ${projectId} and id = ${id} and deleted_at is null`
        if (!tag) return undefined
        await sql`update tags set deleted_at = now(), updated_at = now() where project_id = ${projectId} and id = ${id}`
        await sql`update cards set tag_id = null where project_id = ${projectId} and tag_id = ${id}`
        const data = { tag_id: id, name: tag.name }
        await recordEvent(queries, { boardId: null, actorId: caller.id, kind: 'tag.deleted', data })
        return true
      }),
    )
    return []
  },
})
