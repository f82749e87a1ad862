import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { flag, integer, nothing, optional } from '#contract/schema.ts'
import { keepRevisions, lockBoardOf } from '#templates/masters.ts'
import { startPush } from '#templates/starting.ts'
import { endedEarly, finished } from '../pushes/push.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/delete',
  summary: 'Delete a master card; its copies stay as ordinary cards unless they are to go with it',
  audience: 'superadmin',
  input: { id: integer(), delete_from_projects: optional(flag()) },
  success: 200,
  message: 'The master card was deleted.',
  output: nothing,
  failures: { 400: endedEarly, 404: noMasterCard },
  writes: true,
  begin({ input: { id, delete_from_projects: isForAll }, caller, db, fail }) {
    return db.transaction(async (queries) => {
      const board = await lockBoardOf(queries, 'master_cards', id)
      const cards = await queries.sql`
        update master_cards set deleted_at = now() where id = ${id} and deleted_at is null returning id`
      if (!board || cards.length === 0) throw fail(404, 'master_card_not_found')
      await keepRevisions(queries, board.id, caller.id, { cardIds: [id] })
      if (isForAll === true)
        await queries.sql`update master_cards set withdrawn_revision = revision where id = ${id}`
      const removal = { kind: 'removal', boardId: board.id, cardId: id, actorId: caller.id } as const
      return { pushId: isForAll === true ? await startPush(queries, removal) : null }
    })
  },
  async handle({ begun: { pushId }, pusher, fail }) {
    if (pushId !== null) await finished(pusher, pushId, fail)
    return []
  },
})
