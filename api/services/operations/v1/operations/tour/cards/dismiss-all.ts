import { operation } from '#api/operation.ts'
import { dismissTour } from '#boards/card/tour.ts'
import { integer, record } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/dismiss-all',
  summary: 'Dismiss every tour card of the project; no push or sync brings them back',
  audience: 'work',
  input: {},
  success: 200,
  message: 'The tour was dismissed.',
  output: record({ dismissed_count: integer() }),
  failures: [403, 422],
  writes: true,
  async handle({ caller, db, fail }) {
    const projectId = currentProject(caller, 'work', fail)
    return { dismissed_count: await dismissTour(db, { projectId, actorId: caller.id }) }
  },
})
