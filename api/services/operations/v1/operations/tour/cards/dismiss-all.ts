import { operation } from '#api/operation.ts'
import { dismissTour } from '#boards/card/tour.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/dismiss-all',
  summary: 'Dismiss every tour card of the project; rollouts do not bring them back',
  audience: 'work',
  on: 'project',
  input: {},
  success: 200,
  message: 'The tour was dismissed.',
  output: record({ dismissed_count: integer() }),
  failures: {},
  writes: true,
  async handle({ caller, projectId, db }) {
    return { dismissed_count: await dismissTour(db, { projectId, actorId: caller.id }) }
  },
})
