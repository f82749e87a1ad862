import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { integer, record } from '#contract/schema.ts'
import { restoreTemplateCard } from '#templates/card/restoring.ts'

export default operation({
  path: '/services/operations/v1/admin/master-cards/restore',
  summary: 'Restore a deleted template card at its position',
  audience: 'superadmin',
  on: { 'template card': 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The template card was restored.',
  output: record({ card }),
  failures: {
    400: {
      ...limitReached,
      master_card_not_deleted: 'This template card is not deleted.',
      master_group_deleted: 'The group of this template card was deleted.',
      identifier_taken: 'Another template card now has this unique identifier; change that card first.',
    },
    404: { master_card_not_found: 'There is no deleted template card with this id.' },
  },
  writes: true,
  async handle({ input: { id }, caller, db, quotas, fail }) {
    const restoring = restoreTemplateCard(db, quotas, { id, actorId: caller.id })
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (!restored) throw fail(404, 'master_card_not_found')
    if (restored === 'not deleted') throw fail(400, 'master_card_not_deleted')
    if (restored === 'group deleted') throw fail(400, 'master_group_deleted')
    if (restored === 'identifier taken') throw fail(400, 'identifier_taken')
    return { card: restored }
  },
})
