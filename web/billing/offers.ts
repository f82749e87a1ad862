import type { Output, platforms } from '../data/client.ts'
import { locale } from '../words/locale.ts'
import { t } from '../words/words.ts'
import type { Plan, Subscription } from './types.ts'

export type Period = NonNullable<Subscription['period']>

export type PaidBy = Output<`${typeof platforms}/plans/list`>['paid_by']

/** A product and its plans. */
export interface Offer {
  product: string
  name: string
  plans: Plan[]
}

export function offersIn(plans: readonly Plan[]): Offer[] {
  const products = new Set(plans.map(({ product }) => product))
  return [...products].map((product) => {
    const own = plans.filter((plan) => plan.product === product)
    return { product, name: own[0]?.product_name ?? product, plans: own }
  })
}

export const amountOf = (plan: Plan, period: Period) =>
  period === 'month' ? plan.month_amount : plan.year_amount

/** Formats an amount given in the smallest unit of its currency. */
export function price(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    trailingZeroDisplay: 'stripIfInteger',
  })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

/** How many months are free with yearly payment, at least. */
export const freeMonths = (plans: readonly Plan[]): number =>
  Math.floor(Math.min(...plans.map((plan) => 12 - plan.year_amount / plan.month_amount)))

export const periodNames: Record<Period, string> = { month: t('monthly'), year: t('yearly') }

/** The product and plan of a payment, such as "Website Pro"; the catalogue may no longer have them. */
export function nameOf(
  { product, plan }: { product: string; plan: string },
  offers: readonly Offer[],
): string {
  const offer = offers.find((one) => one.product === product)
  const found = offer?.plans.find((one) => one.plan === plan)
  return `${offer?.name ?? product} ${found?.plan_name ?? plan}`
}
