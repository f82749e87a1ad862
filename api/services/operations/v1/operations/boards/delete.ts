import { operation } from '#api/operation.ts'
import { deleteComments } from '#boards/comment/comment.ts'
import { integer, nothing } from '#contract/schema.ts'
import { change } from '#events/change.ts'
import { recordEvent } from '#events/record.ts'
import { inProjectOf } from '#identity/in-project.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/delete',
  summary: 'Delete a board with its groups, cards and comments',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The board was deleted.',
  output: nothing,
  failures: [403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, fail }) {
    await inProjectOf({ db, caller, permission: 'manage', kind: 'boards', id }, fail, ({ projectId }) =>
      change(db, projectId, async (queries) => {
        const { sql } = queries
        const [board] = await sql<{ title: string }[]>`
          select title from boards where project_id = ${projectId} and id = ${id} and deleted_at is null`
        if (!board) return undefined
        await sql`
          update groups set deleted_at = now(), updated_at = now()
          where project_id = ${projectId} and board_id = ${id} and deleted_at is null`
        const cards = await sql<{ id: number }[]>`
          update cards set deleted_at = now(), updated_at = now()
          where project_id = ${projectId} and board_id = ${id} and deleted_at is null returning id`
        await sql`
          update boards set deleted_at = now(), deleted_by = ${caller.id}, deleted_cards = ${cards.length}, updated_at = now()
          where project_id = ${projectId} and id = ${id}`
        const cardIds = cards.map((card) => card.id)
        await deleteComments(queries, projectId, cardIds)
        // Those after it move up, so every board of the project has news.
        const data = { board_id: id, title: board.title, cards_count: cards.length }
        await recordEvent(queries, { boardId: null, actorId: caller.id, kind: 'board.deleted', data })
        await sql`delete from board_sizes where project_id = ${projectId} and board_id = ${id}`
        return true
      }),
    )
    return []
  },
})
