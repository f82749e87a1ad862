import { notFound, notFoundIn } from '#api/failures.ts'
import { type Call, operation } from '#api/operation.ts'
import { granted } from '#api/outcome.ts'
import { catalogueOf, findPlan, periods } from '#billing/catalogue.ts'
import { openCheckout, prepareCheckout } from '#billing/checkout.ts'
import { integer, nullable, oneOf, record, text } from '#contract/schema.ts'
import { ownPlatform } from '#identity/caller.ts'
import { asOutage, outages } from './outage.ts'

const unknownPlan = { plan: notFound, product: notFound } as const

export default operation({
  path: '/services/platforms/v1/subscriptions/upgrade-trial',
  summary: 'Open a checkout to pay for a running or expired trial; returns its address',
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
  failures: {
    400: {
      subscription_active: 'Only a trial can be upgraded; this subscription is active.',
      subscription_past_due:
        'Only a trial can be upgraded; this subscription is paid for, but a payment is overdue.',
      subscription_canceled: 'Only a trial can be upgraded; this subscription is canceled.',
      already_paid: 'This subscription has just been paid for and will be active in a moment.',
      plans_changing: 'Someone else is choosing a plan for this subscription. Try again.',
      payments_not_set_up: 'Payments are not set up on this server.',
    },
    404: { subscription_not_found: 'The project has no subscription to this product.' },
    422: unknownPlan,
    500: outages,
  },
  bodies: { 401: 'message', 403: 'error, message, data' },
  writes: true,
  check: (call) => void offerOf(call),
  async begin({ input, caller, projectId, db, billing, fail }) {
    const { plan, currency } = offerOf({ input, caller, billing, fail })
    const wanted = { ...input, projectId, plan, currency, actorId: caller.id }
    const prepared = await prepareCheckout(billing, db, wanted)
    if (!prepared) throw fail(404, 'subscription_not_found')
    return granted(prepared, fail)
  },
  async handle({ begun, db, billing, fail }) {
    const opened = await openCheckout(billing, db, begun).catch(asOutage(fail))
    if (!opened) throw fail(404, 'subscription_not_found')
    return granted(opened, fail)
  },
})

type Wanted = Call<{ product: string; plan: string }, { 422: typeof unknownPlan }>

/** The plan in the catalogue of the project's platform. */
function offerOf({ input, caller, billing, fail }: Pick<Wanted, 'input' | 'caller' | 'billing' | 'fail'>) {
  const catalogue = catalogueOf(billing.catalogue, ownPlatform(caller))
  const plan = findPlan(catalogue, input)
  if (!('unknown' in plan)) return { plan, currency: catalogue.currency }
  throw fail(422, notFoundIn(plan.unknown))
}
