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
