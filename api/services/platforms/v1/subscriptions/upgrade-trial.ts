import { type Call, operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { findPlan, periods } from '#billing/catalogue.ts'
import { findTrial, offerOf, openCheckout } from '#billing/checkout.ts'
import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import { asOutage } from './outage.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/upgrade-trial',
  summary: 'Pay for a running or an expired trial: gives the address where to',
  audience: 'upgrade',
  on: 'project',
  input: { plan: text({ max: 50 }), period: oneOf(periods), product: text({ max: 50 }) },
  success: 200,
  message: 'The checkout is open.',
  output: record({
    checkout_url: text(),
    session_id: nullable(text()),
    subscription_id: integer(),
  }),
  failures: [400, 404, 422],
  bodies: { 401: 'message', 403: 'error, message, data' },
  writes: true,
  check: (call) => void planOf(call),
  async begin({ input, projectId, db, billing, fail }) {
    const { product, period } = input
    const plan = planOf({ input, billing, fail })
    const trial = await findTrial(db, { projectId, product })
    if (!trial) throw fail(404, noSubscription)
    granted(trial, fail)
    return { projectId, product, offer: granted(offerOf(billing, plan, period), fail) }
  },
  async handle({ begun, db, billing, fail }) {
    const opened = await openCheckout(billing, db, begun).catch(asOutage)
    if (!opened) throw fail(404, noSubscription)
    return granted(opened, fail)
  },
})

function planOf({
  input,
  billing,
  fail,
}: Pick<Call<{ product: string; plan: string }, 422>, 'input' | 'billing' | 'fail'>) {
  const plan = findPlan(billing.catalogue, input)
  if (!('unknown' in plan)) return plan
  throw fail(
    422,
    Object.fromEntries(plan.unknown.map((name) => [name, [`The selected ${name} is invalid.`]])),
  )
}

const noSubscription = 'The project has no subscription to this product.'
