import { operation } from '#api/operation.ts'
import { platformInput } from '#api/platform.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { listPlans } from '#billing/plans.ts'
import { integer, list, record } from '#contract/schema.ts'
import { productReach, readReach } from '#templates/products.ts'

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
    const { projects, products } = await readReach(db, platformId)
    const language = http.say({ text: ':language', values: { language: (locale) => locale } })
    const plans = listPlans(catalogueOf(billing.catalogue, platformId), language)
    const names = new Map(plans.map(({ product, product_name }) => [product, product_name]))
    const counts = new Map(products.map(({ tool_key, projects_count }) => [tool_key, projects_count]))
    const keys = [...new Set([...names.keys(), ...counts.keys()])].sort()
    return {
      products: keys.map((tool_key) => ({
        tool_key,
        name: names.get(tool_key) ?? null,
        projects_count: counts.get(tool_key) ?? 0,
      })),
      projects_count: projects,
    }
  },
})
