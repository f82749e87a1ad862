import { operation } from '#api/operation.ts'
import { listPlans, paymentOf } from '#billing/plans.ts'
import { integer, list, nullable, oneOf, record, text } from '#contract/schema.ts'

const plan = record({
  product: text(),
  product_name: text(),
  plan: text(),
  plan_name: text(),
  /** In the currency's smallest unit. */
  month_amount: integer(),
  year_amount: integer(),
  currency: text(),
})

export default operation({
  path: '/services/platforms/v1/plans/list',
  summary: 'List the products and plans with their prices, in the smallest unit of the currency',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The available plans.',
  output: record({ plans: list(plan), paid_by: nullable(oneOf(['card', 'invoice'])) }),
  failures: {},
  handle: async ({ billing }) => ({ plans: listPlans(billing.catalogue), paid_by: paymentOf(billing) }),
})
