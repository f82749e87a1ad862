import { notFound } from '#api/failures.ts'
import { refuseMissing } from '#api/listed.ts'
import { operation } from '#api/operation.ts'
import { deleteCards } from '#boards/card/deleting.ts'
import { mostCards } from '#boards/card/several.ts'
import { integer, list, nothing } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/delete-many',
  summary: `Delete up to ${mostCards} cards of a project with their comments, all or none; members delete their own cards, admins any`,
  audience: 'work',
  on: { card: 'ids' },
  input: { ids: list(integer(), { max: mostCards }) },
  success: 200,
  message: 'The cards were deleted.',
  output: nothing,
  failures: {
    403: { not_your_card: 'Members can delete only cards they created.' },
    422: { 'ids.*': notFound },
  },
  writes: true,
  async handle({ input: { ids }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const outcome = await deleteCards(db, quotas, { projectId, actorId: caller.id }, ids, { onlyOwn })
    if (outcome === 'not own') throw fail(403, 'not_your_card')
    if (typeof outcome === 'object') refuseMissing('ids', ids, (id) => outcome.missing.includes(id), fail)
    return []
  },
})
