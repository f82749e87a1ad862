import { operation } from '#api/operation.ts'
import { findPlan, periods } from '#billing/catalogue.ts'
import { findTrial, offerOf, openCheckout } from '#billing/checkout.ts'
import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import { currentProject } from '#identity/caller.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/upgrade-trial',
  summary: 'Pay for a running or an expired trial: gives the address where to',
  audience: 'upgrade',
  input: { plan: text({ max: 50 }), period: oneOf(periods), product: text({ max: 50 }) },
  success: 200,
  message: 'The checkout is open.',
  output: record({
    checkout_url: text(),
    session_id: nullable(text()),
    subscription_id: integer(),
  }),
  failures: [400, 403, 404, 422],
  bodies: { 401: 'message', 403: 'error, message, data' },
  writes: true,
  async begin({ input, caller, db, billing, fail }) {
    const { product, period } = input
    const plan = findPlan(billing.catalogue, input, fail)
    const projectId = currentProject(caller, 'upgrade', fail)
    await findTrial(db, { projectId, product }, fail)
    return { projectId, product, offer: offerOf(billing, plan, period, fail) }
  },
  handle: ({ begun, db, billing, fail }) => openCheckout(billing, db, begun, fail),
})
