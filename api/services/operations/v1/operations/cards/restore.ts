import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { card } from '#boards/card/card.ts'
import { restoreCard } from '#boards/card/restoring.ts'
import { restoredParents } from '#boards/trash/bring-back.ts'
import { flag, integer, optional, record } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/restore',
  summary:
    'Restore a deleted card with the comments deleted with it, and optionally its group and board; members restore their own cards, admins any',
  audience: 'work',
  on: { 'deleted card': 'id' },
  input: { id: integer(), with_parents: optional(flag()) },
  success: 200,
  message: 'The card was restored.',
  output: record({ card, restored_parents: restoredParents }),
  failures: {
    400: {
      ...limitReached,
      card_not_deleted: 'This card is not deleted.',
      board_deleted: 'The board of this card was deleted, or has no group; with_parents restores both.',
    },
    403: {
      not_your_card: 'Members can restore only cards they created.',
      only_managers: 'Only admins and owners can restore the group or board of a card.',
    },
  },
  writes: true,
  async handle({ input: { id, with_parents }, caller, projectId, role, db, quotas, fail }) {
    const restoring = restoreCard(
      db,
      quotas,
      { projectId, id, actorId: caller.id },
      {
        withParents: with_parents === true,
        onlyOwn: !may(caller, role, 'delete any card'),
        onlyCards: !may(caller, role, 'manage'),
      },
    )
    const restored = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (restored === 'only cards') throw fail(403, 'only_managers')
    if (restored === 'not own') throw fail(403, 'not_your_card')
    if (restored === 'not deleted') throw fail(400, 'card_not_deleted')
    if (restored === 'no group') throw fail(400, 'board_deleted')
    return restored
  },
})
