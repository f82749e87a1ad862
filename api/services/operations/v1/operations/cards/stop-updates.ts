import { notFromTemplate } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { setUpdates } from '#templates/stopping-updates.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/stop-updates',
  summary: 'Stop rollouts from changing a card that came from a template',
  about:
    'The card keeps what it has until updates are taken again. Deleting it from all projects still deletes it.',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'Rollouts leave the card as it is.',
  output: nothing,
  failures: { 400: notFromTemplate },
  writes: true,
  async handle({ input: { id }, caller, projectId, db, fail }) {
    const set = await setUpdates(db, { projectId, id, actorId: caller.id }, false)
    if (set === 'no master') throw fail(400, 'not_from_template')
    return set && []
  },
})
