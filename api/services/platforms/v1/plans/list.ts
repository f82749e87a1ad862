import { operation } from '#api/operation.ts'
import { catalogueOf } from '#billing/catalogue.ts'
import { listPlans, paymentOf } from '#billing/plans.ts'
import { integer, list, nullable, oneOf, onlyInV2, record, text } from '#contract/schema.ts'
import { ownPlatform } from '#identity/caller.ts'

const plan = record({
  product: text(),
  product_name: text(),
  plan: text(),
  plan_name: text(),
  /** In the currency's smallest unit. */
  month_amount: integer(),
  year_amount: integer(),
  currency: text(),
  /** What the plan contains, in the language of the caller. */
  features: list(text()),
})

export default operation({
  path: '/services/platforms/v1/plans/list',
  summary: 'List the products and plans with their prices, in the smallest unit of the currency',
  audience: 'signed in',
  input: {},
  success: 200,
  message: 'The available plans.',
  output: record({
    plans: list(plan),
    paid_by: nullable(
      oneOf(['card', 'invoice'], { about: 'How plans are paid; null where payments are not set up.' }),
    ),
    contact_url: onlyInV2(
      nullable(text({ about: 'Where to ask for a trial: an address with `https:` or `mailto:`.' })),
    ),
  }),
  failures: {},
  async handle({ caller, billing, http }) {
    const catalogue = catalogueOf(billing.catalogue, ownPlatform(caller))
    const language = http.say({ text: ':language', values: { language: (locale) => locale } })
    return {
      plans: listPlans(catalogue, language),
      paid_by: paymentOf(billing),
      contact_url: billing.contact ?? null,
    }
  },
})
