import { audited } from '#api/audited.ts'
import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, record } from '#contract/schema.ts'
import { startCardRollout } from '#rollouts/starting.ts'
import { auditStarted } from '../rollouts/audit-rollout.ts'
import { endedEarly, finished, saidWithFailures } from '../rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/push',
  summary: 'Roll out a template card to every project; what a project customized stays',
  audience: 'superadmin',
  on: { 'template card': 'card_id' },
  input: { card_id: integer({ about: 'The id of the template card.' }) },
  success: 200,
  message: 'The card was rolled out.',
  output: record({ projects_updated: integer() }),
  failures: {
    400: {
      ...endedEarly,
      master_card_inactive: 'This template card is inactive; activate it to roll it out.',
      master_board_inactive: 'The template of this card is inactive; activate it to roll out its cards.',
    },
    404: noMasterCard,
  },
  v1Text: { projects_updated: 'whole' },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { card_id: cardId }, caller, db, fail, audit }) => {
      const started = await startCardRollout(db, cardId, caller.id)
      if (started === 'no card') throw fail(404, 'master_card_not_found')
      if (started === 'inactive card') throw fail(400, 'master_card_inactive')
      if (started === 'inactive board') throw fail(400, 'master_board_inactive')
      await auditStarted({ audit }, 'rollout.started', started)
      return { rolloutId: started.rolloutId }
    }),
  async handle({ begun: { rolloutId }, rollouts, fail }) {
    const result = await finished(rollouts, rolloutId, fail)
    return saidWithFailures(rolloutId, result, { projects_updated: result.counts.changed })
  },
})
