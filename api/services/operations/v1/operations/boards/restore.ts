import { writeEvent } from '#api/event.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { inProjectOf } from '#identity/in-project.ts'
import { forgetSync } from '#templates/copies.ts'
import { restoreCards } from '../trash/restore-cards.ts'
import { board, readBoard } from './board.ts'

export default operation({
  path: '/services/operations/v1/operations/boards/restore',
  summary: 'Bring a deleted board back with the groups, cards and comments that went with it',
  audience: 'manage',
  input: { id: integer() },
  success: 200,
  message: 'The board was restored.',
  output: record({ board }),
  failures: [400, 403, 404],
  writes: true,
  async handle({ input: { id }, caller, db, live, http, fail }) {
    const question = { db, caller, permission: 'manage', kind: 'boards', id, isDeleted: true } as const
    const restored = await inProjectOf(question, fail, ({ projectId }) =>
      db.transaction(async (queries) => {
        const { sql } = queries
        // The order of the boards is held still, so that nobody takes its old place meanwhile.
        await sql`select from projects where id = ${projectId} for no key update`
        const [deleted] = await sql<{ deleted_at: string | null }[]>`
          select deleted_at::text as deleted_at from boards
          where project_id = ${projectId} and id = ${id} and coalesce(deleted_at > kept_since(), true)
          for update`
        if (!deleted) return undefined
        if (deleted.deleted_at === null) throw fail(400, 'This board is not deleted.')
        await sql`
          update boards set deleted_at = null, updated_at = now(), rank = case when exists (
              select from boards other where other.project_id = ${projectId} and other.rank = boards.rank
                and other.deleted_at is null)
            then list_end() else rank end
          where project_id = ${projectId} and id = ${id}`
        const groups = await sql<{ id: number }[]>`
          update groups set deleted_at = null, updated_at = now()
          where project_id = ${projectId} and board_id = ${id} and deleted_at = ${deleted.deleted_at}::timestamptz
          returning id`
        const ids = groups.map((group) => group.id)
        const count = await restoreCards(queries, projectId, ids, deleted.deleted_at)
        await forgetSync(queries, projectId, { boardId: id })
        // Those after it move down, so every board of the project has news.
        const data = { board_id: id, cards_count: count }
        await writeEvent(queries, { projectId, boardId: 0, actorId: caller.id, kind: 'board.restored', data })
        live.announce(http, projectId)
        return readBoard(queries, projectId, id)
      }),
    )
    return { board: restored }
  },
})
