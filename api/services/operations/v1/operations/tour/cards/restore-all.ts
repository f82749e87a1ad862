import { operation } from '#api/operation.ts'
import { restoreTour } from '#boards/card/tour.ts'
import { integer, record } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/restore-all',
  summary: 'Bring back every dismissed tour card of the project, with the status it had',
  audience: 'work',
  on: 'project',
  input: {},
  success: 200,
  message: 'The tour was brought back.',
  output: record({ restored_count: integer() }),
  failures: {},
  writes: true,
  async handle({ caller, projectId, db }) {
    return { restored_count: await restoreTour(db, { projectId, actorId: caller.id }) }
  },
})
