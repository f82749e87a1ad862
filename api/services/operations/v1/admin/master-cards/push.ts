import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { lockBoardOf } from '#templates/masters.ts'
import { startPush } from '#templates/push.ts'
import { finished } from '../pushes/push.ts'
import { readMasterCard } from './master-card.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/push',
  summary: 'Bring one card to every project, except for what a project changed itself',
  audience: 'superadmin',
  input: { card_id: integer() },
  success: 200,
  message: 'The card was pushed.',
  output: record({ projects_updated: integer() }),
  failures: [400, 404],
  v1Text: { projects_updated: 'whole' },
  writes: true,
  begin({ input: { card_id: cardId }, caller, db, fail }) {
    return db.transaction(async (queries) => {
      const board = await lockBoardOf(queries, 'master_cards', cardId)
      const card = board && (await readMasterCard(queries, cardId))
      if (!card) throw fail(404, 'There is no master card with this id.')
      if (!card.is_active) throw fail(400, 'This master card is inactive; activate it to push it.')
      if (!board.is_active)
        throw fail(400, 'The master board of this card is inactive; activate it to push its cards.')
      const pushId = await startPush(queries, { kind: 'card', boardId: board.id, cardId, actorId: caller.id })
      return { pushId }
    })
  },
  async handle({ begun: { pushId }, db, pusher, fail }) {
    return { projects_updated: (await finished({ db, pusher }, pushId, fail)).changed }
  },
})
