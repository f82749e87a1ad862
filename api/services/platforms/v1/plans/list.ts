import { operation } from '#api/operation.ts'
import { integer, list, record, text } from '#contract/schema.ts'

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
  message: 'The plans on offer.',
  output: record({ plans: list(plan) }),
  failures: {},
  async handle({ billing: { catalogue } }) {
    const { currency, products } = catalogue
    return {
      plans: products.flatMap((product) =>
        product.plans.map(({ key, name, prices }) => ({
          product: product.key,
          product_name: product.name,
          plan: key,
          plan_name: name,
          month_amount: prices.month,
          year_amount: prices.year,
          currency,
        })),
      ),
    }
  },
})
