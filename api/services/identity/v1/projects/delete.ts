import { requireRecentPassword, unconfirmed } from '#api/confirm-password.ts'
import { operation } from '#api/operation.ts'
import { originOf } from '#api/origin.ts'
import { stopPayments } from '#billing/stopping.ts'
import { integer, record, text, timestamp } from '#contract/schema.ts'
import { deleteProject, isNameOf } from '#projects/deletion/deleting.ts'
import { asOutage, outages } from '../../../platforms/v1/subscriptions/outage.ts'

export default operation({
  path: '/services/identity/v1/projects/delete',
  summary: 'Delete a project; an owner can restore it for 30 days',
  about:
    'No one can open the project from then on, and its event streams end. Paid subscriptions end with their period. After 30 days everything in it is permanently deleted. All owners are notified by email. Possible within 15 minutes after the password was entered: at sign-in, or with `password/confirm`.',
  audience: 'delete the project',
  on: { project: 'id' },
  input: { id: integer(), name: text({ max: 255, about: 'The name of the project, as a confirmation.' }) },
  success: 200,
  message: 'The project was deleted.',
  output: record({ restorable_until: timestamp() }),
  failures: {
    400: { payment_under_way: 'A payment of this project is under way. Try again in a minute.' },
    403: unconfirmed,
    422: { name: { not_its_name: 'The :attribute field must be the name of the project.' } },
    500: outages,
  },
  changes: true,
  async handle({ input, projectId, caller, db, billing, http, log, fail }) {
    if (input.id !== projectId) return undefined
    const isConfirmed = await isNameOf(db, projectId, input.name)
    if (isConfirmed === undefined) return undefined
    if (!isConfirmed) throw fail(422, { name: 'not_its_name' })
    await requireRecentPassword({ db, caller, fail })
    const acting = { projectId, actorId: caller.id }
    // First, because the payment provider may fail, and nobody should pay for a project that they cannot open.
    const stopped = await stopPayments(billing, db, acting).catch(asOutage(fail))
    if (stopped === 'under way') throw fail(400, 'payment_under_way')
    return deleteProject(db, acting, originOf({ http, caller, log }))
  },
})
