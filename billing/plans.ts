import type { Billing } from './billing.ts'
import { type Catalogue, featureIn } from './catalogue.ts'

/** Every plan of every product, with its prices in the smallest unit of the currency; `language` is that of the features. */
export const listPlans = ({ currency, products }: Catalogue, language: string) =>
  products.flatMap((product) =>
    product.plans.map(({ key, name, prices, features = [] }) => ({
      product: product.key,
      product_name: product.name,
      plan: key,
      plan_name: name,
      month_amount: prices.month,
      year_amount: prices.year,
      currency,
      features: features.map((feature) => featureIn(feature, language)),
    })),
  )

/** How a plan is paid for; null where payments are not set up. */
export const paymentOf = ({ gateway }: Billing): 'card' | 'invoice' | null => {
  if (!gateway) return null
  return gateway.name === 'invoice' ? 'invoice' : 'card'
}
