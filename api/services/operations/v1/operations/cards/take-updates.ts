import { notFromTemplate } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { integer, nothing } from '#contract/schema.ts'
import { setUpdates } from '#templates/stopping-updates.ts'

export default operation({
  path: '/services/operations/v1/operations/cards/take-updates',
  summary: 'Let rollouts change a card of a template again',
  about:
    'The next rollout of its template brings what the card has missed, except for fields that the project has customized.',
  audience: 'work',
  on: { card: 'id' },
  input: { id: integer() },
  success: 200,
  message: 'Rollouts change the card again.',
  output: nothing,
  failures: { 400: notFromTemplate },
  writes: true,
  async handle({ input: { id }, caller, projectId, db, fail }) {
    const set = await setUpdates(db, { projectId, id, actorId: caller.id }, true)
    if (set === 'no master') throw fail(400, 'not_from_template')
    return set && []
  },
})
