import { notFound } from '#api/failures.ts'
import { refuseMissing } from '#api/listed.ts'
import { operation } from '#api/operation.ts'
import { limitReached, onLimit } from '#api/quota.ts'
import { restoreCards } from '#boards/card/restoring.ts'
import { mostCards } from '#boards/card/several.ts'
import { integer, list, nothing } from '#contract/schema.ts'
import { may } from '#identity/roles.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/restore-many',
  summary: `Restore up to ${mostCards} deleted cards of a project with the comments deleted with them, all or none; members restore their own cards, admins any`,
  audience: 'work',
  on: { 'deleted card': 'ids' },
  input: { ids: list(integer(), { max: mostCards }) },
  success: 200,
  message: 'The cards were restored.',
  output: nothing,
  failures: {
    400: { ...limitReached, board_deleted: 'The board of a card was deleted, or has no group.' },
    403: { not_your_card: 'Members can restore only cards they created.' },
    422: { 'ids.*': notFound },
  },
  writes: true,
  async handle({ input: { ids }, caller, projectId, role, db, quotas, fail }) {
    const onlyOwn = !may(caller, role, 'delete any card')
    const restoring = restoreCards(db, quotas, { projectId, actorId: caller.id }, ids, { onlyOwn })
    const outcome = await restoring.catch(onLimit((limit) => fail(400, ...limit)))
    if (outcome === 'not own') throw fail(403, 'not_your_card')
    if (outcome === 'no group') throw fail(400, 'board_deleted')
    if (typeof outcome === 'object') refuseMissing('ids', ids, (id) => outcome.missing.includes(id), fail)
    return []
  },
})
