import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { findProduct } from '#billing/catalogue.ts'
import { startTrial } from '#billing/trial.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { readSubscription, type Subscription, subscription } from './subscription.ts'

export default operation({
  path: '/services/platforms/v1/subscriptions/start-trial',
  summary: 'Start a trial of a product for the project',
  audience: 'superadmin with billing',
  on: 'project',
  input: { product: text({ max: 50 }), days: optional(integer({ min: 1, max: 365 })) },
  success: 201,
  message: 'The trial was started.',
  output: record({ subscription }),
  failures: {
    400: { already_subscribed: 'The project already has a subscription to this product.' },
    422: { product: notFound },
  },
  writes: true,
  async handle({ input, caller, projectId, db, billing: { catalogue }, fail }) {
    const { product, days } = input
    if (!findProduct(catalogue, product)) throw fail(422, { product: 'not_found' })
    const wanted = { projectId, product, days: days ?? catalogue.trialDays, actorId: caller.id }
    const id = await startTrial(db, wanted)
    if (id === undefined) throw fail(400, 'already_subscribed')
    return { subscription: (await readSubscription(db, projectId, id)) as Subscription }
  },
})
