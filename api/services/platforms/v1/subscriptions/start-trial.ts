import { notFound } from '#api/failures.ts'
import { operation } from '#api/operation.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { subscription } from '#billing/shown.ts'
import { startTrial } from '#billing/trial.ts'
import { integer, optional, record, text } from '#contract/schema.ts'
import { ownPlatform } from '#identity/caller.ts'

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
  async handle({ input, caller, projectId, db, billing, fail }) {
    const catalogue = catalogueOf(billing.catalogue, ownPlatform(caller))
    const { product, days } = input
    const wanted = { projectId, product, days: days ?? undefined, actorId: caller.id }
    const started = await startTrial(db, catalogue, wanted)
    if (started === 'no product') throw fail(422, { product: 'not_found' })
    if (started === 'already subscribed') throw fail(400, 'already_subscribed')
    return { subscription: started }
  },
})
