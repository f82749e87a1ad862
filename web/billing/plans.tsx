import { ArrowRight, Check } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { platforms } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/segments.tsx'
import { rich } from '../words/rich.tsx'
import { counted, t } from '../words/words.ts'
import { amountOf, freeMonths, type Offer, type PaidBy, type Period, price } from './offers.ts'
import type { Plan } from './types.ts'

const notes = {
  card: t("You'll pay by card on the checkout page. Cancel anytime."),
  invoice: t("You'll get an order with our bank details. The plan starts when your payment arrives."),
}

/** The plans, and the button to the checkout. */
export function Plans({ offer, paidBy }: { offer: Offer; paidBy: PaidBy }) {
  const id = useId()
  const [period, setPeriod] = useState<Period>('month')
  const [chosen, setChosen] = useState(offer.plans[0]?.plan)
  const refusal = useRefusal('upgrade')
  const upgrading = useWrite(`${platforms}/subscriptions/upgrade-trial`, {
    failed: t('The checkout was not opened'),
  })
  const plan = offer.plans.find((one) => one.plan === chosen)
  if (!plan) return null
  const upgrade = () =>
    upgrading.mutate(
      { product: offer.product, plan: plan.plan, period },
      { onSuccess: ({ checkout_url }) => window.location.assign(checkout_url) },
    )
  const free = freeMonths(offer.plans)
  const yearly =
    free > 0
      ? counted(free, { one: 'Yearly, {count} month free', other: 'Yearly, {count} months free' })
      : t('Yearly')
  const amount = price(amountOf(plan, period), plan.currency)
  return (
    <div className="plans">
      <Segments<Period>
        label={t('Billing period of {product}', { product: offer.name })}
        choices={{ month: t('Monthly'), year: yearly }}
        chosen={period}
        onChoose={setPeriod}
      />
      <div
        className="plans-choice"
        role="radiogroup"
        aria-label={t('Plans of {product}', { product: offer.name })}
      >
        {offer.plans.map((one) => (
          <label key={one.plan} className="plan">
            <input
              type="radio"
              name={id}
              checked={one.plan === chosen}
              onChange={() => setChosen(one.plan)}
            />
            <span className="plan-name">{one.plan_name}</span>
            <span className="plan-price numbers">
              <PlanPrice plan={one} period={period} />
            </span>
            <span className="plan-note numbers">
              {period === 'year'
                ? t('{amount} a month', { amount: price(Math.round(one.year_amount / 12), one.currency) })
                : t('or {amount} a year', { amount: price(one.year_amount, one.currency) })}
            </span>
            {one.features.map((feature) => (
              <span key={feature} className="plan-feature">
                <Check aria-hidden="true" />
                <span dir="auto">{feature}</span>
              </span>
            ))}
          </label>
        ))}
      </div>
      <div className="plans-pay">
        <Button
          look="primary"
          icon={<ArrowRight />}
          refusal={refusal}
          isBusy={upgrading.isPending}
          onClick={upgrade}
        >
          {period === 'month'
            ? t('Upgrade to {plan} for {amount} a month', { plan: plan.plan_name, amount })
            : t('Upgrade to {plan} for {amount} a year', { plan: plan.plan_name, amount })}
        </Button>
        <p className="plan-note">{refusal ?? notes[paidBy ?? 'card']}</p>
      </div>
    </div>
  )
}

/** The price of a plan for each month or year. */
export function PlanPrice({ plan, period }: { plan: Plan; period: Period }) {
  const parts = {
    amount: price(amountOf(plan, period), plan.currency),
    small: (text: ReactNode) => <span>{text}</span>,
  }
  return period === 'month'
    ? rich('{amount}<small> a month</small>', parts)
    : rich('{amount}<small> a year</small>', parts)
}
