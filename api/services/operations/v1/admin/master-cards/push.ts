import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { startCardPush } from '#templates/starting.ts'
import { finished } from '../pushes/push.ts'

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
      const started = await startCardPush(queries, cardId, caller.id)
      if (started === 'no card') throw fail(404, 'There is no master card with this id.')
      if (started === 'inactive card')
        throw fail(400, 'This master card is inactive; activate it to push it.')
      if (started === 'inactive board')
        throw fail(400, 'The master board of this card is inactive; activate it to push its cards.')
      return started
    })
  },
  async handle({ begun: { pushId }, pusher, fail }) {
    return { projects_updated: (await finished(pusher, pushId, fail)).counts.changed }
  },
})
