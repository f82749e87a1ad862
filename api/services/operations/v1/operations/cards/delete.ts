import { operation } from '#api/operation.ts'
import { deleteCards } from '#boards/card/deleting.ts'
import { integer, nothing } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/delete',
  summary: 'Delete a card with its comments; members delete their own cards, admins any',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'The card was deleted.',
  output: nothing,
  failures: { 403: { not_your_card: 'Members can delete only cards they created.' } },
  bodies: { 403: 'error, message, data' },
  writes: true,
  async handle({ input: { id }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const outcome = await deleteCards(db, quotas, { projectId, actorId: caller.id }, [id], { onlyOwn })
    if (outcome === 'not own') throw fail(403, 'not_your_card')
    return outcome === 'deleted' ? [] : undefined
  },
})
