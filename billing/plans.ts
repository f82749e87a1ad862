import type { Billing } from './billing.ts'
import type { Catalogue } from './catalogue.ts'

/** Every plan of every product, with its prices in the smallest unit of the currency. */
export const listPlans = ({ currency, products }: Catalogue) =>
  products.flatMap((product) =>
    product.plans.map(({ key, name, prices }) => ({
      product: product.key,
      product_name: product.name,
      plan: key,
      plan_name: name,
      month_amount: prices.month,
      year_amount: prices.year,
      currency,
    })),
  )

/** How a plan is paid for; null where payments are not set up. */
export const paymentOf = ({ gateway }: Billing): 'card' | 'invoice' | null => {
  if (!gateway) return null
  return gateway.name === 'invoice' ? 'invoice' : 'card'
}
