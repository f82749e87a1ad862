import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { listPlans } from '#billing/plans.ts'
import { integer, list, record } from '#contract/schema.ts'
import { listProducts, productReach } from '#templates/products.ts'

export default operation({
  path: '/services/operations/v1/admin/products/list',
  summary: 'The products that a template can be for, with how many projects have each',
  audience: 'superadmin',
  on: 'platform',
  input: platformInput,
  success: 200,
  message: 'The products.',
  output: record({
    products: list(productReach),
    projects_count: integer({
      about: 'How many projects there are, which a template for all of them reaches.',
    }),
  }),
  failures: {},
  async handle({ platformId, db, billing, http }) {
    const language = http.say({ text: ':language', values: { language: (locale) => locale } })
    const plans = listPlans(catalogueOf(billing.catalogue, platformId), language)
    return listProducts(db, platformId, new Map(plans.map((plan) => [plan.product, plan.product_name])))
  },
})
