import { operation } from '#api/operation.ts'
import { markTourSeen } from '#boards/card/tour.ts'
import { nothing } from '#contract/schema.ts'

export default operation({
  path: '/services/operations/v1/operations/tour/cards/mark-seen',
  summary: 'Note that the caller has closed the tour, which then no longer opens by itself',
  audience: 'read',
  on: 'project',
  input: {},
  success: 200,
  message: 'The tour was marked as seen.',
  output: nothing,
  failures: {},
  writes: true,
  async handle({ caller, projectId, db }) {
    await markTourSeen(db, projectId, caller.id)
    return []
  },
})
