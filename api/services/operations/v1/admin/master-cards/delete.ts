import { audited } from '#api/audited.ts'
import { noMasterCard } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { flag, integer, nothing, optional } from '#contract/schema.ts'
import { deleteCardEverywhere } from '#rollouts/starting.ts'
import { deleteTemplateCard } from '#templates/card/deleting.ts'
import { auditStarted } from '../rollouts/audit-rollout.ts'
import { endedEarly, finished } from '../rollouts/rollout.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/delete',
  summary:
    'Delete a template card; projects keep their copies as ordinary cards, unless delete_from_projects is set',
  audience: 'superadmin',
  on: { 'template card': 'id' },
  input: { id: integer(), delete_from_projects: optional(flag()) },
  success: 200,
  message: 'The template card was deleted.',
  output: nothing,
  failures: { 400: endedEarly, 404: noMasterCard },
  writes: true,
  begin: (call) =>
    audited(call, async ({ input: { id, delete_from_projects: isForAll }, caller, db, fail, audit }) => {
      const action = { id, actorId: caller.id }
      const deleted = await (isForAll ? deleteCardEverywhere(db, action) : deleteTemplateCard(db, action))
      if (!deleted) throw fail(404, 'master_card_not_found')
      if (!('rolloutId' in deleted)) return { rolloutId: null }
      await auditStarted({ audit }, 'rollout.started', deleted)
      return { rolloutId: deleted.rolloutId }
    }),
  async handle({ begun: { rolloutId }, rollouts, fail }) {
    if (rolloutId !== null) await finished(rollouts, rolloutId, fail)
    return []
  },
})
