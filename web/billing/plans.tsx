import { ArrowRight } from 'lucide-react'
import { useId, useState } from 'react'
import { platforms } from '../data/client.ts'
import { useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { Button } from '../ui/button.tsx'
import { Segments } from '../ui/segments.tsx'
import { amountOf, freeMonths, type Offer, type PaidBy, type Period, price } from './offers.ts'

const notes = {
  card: "You'll pay by card on the checkout page. Cancel anytime.",
  invoice: "You'll get an order with our bank details. The plan starts when your payment arrives.",
}

/** The plans, and the button to the checkout. */
export function Plans({ offer, paidBy }: { offer: Offer; paidBy: PaidBy }) {
  const id = useId()
  const [period, setPeriod] = useState<Period>('month')
  const [chosen, setChosen] = useState(offer.plans[0]?.plan)
  const refusal = useRefusal('upgrade')
  const upgrading = useWrite(`${platforms}/subscriptions/upgrade-trial`, {
    failed: 'The checkout was not opened',
  })
  const plan = offer.plans.find((one) => one.plan === chosen)
  if (!plan) return null
  const upgrade = () =>
    upgrading.mutate(
      { product: offer.product, plan: plan.plan, period },
      { onSuccess: ({ checkout_url }) => window.location.assign(checkout_url) },
    )
  const free = freeMonths(offer.plans)
  const yearly = free > 0 ? `Yearly, ${free === 1 ? '1 month' : `${free} months`} free` : 'Yearly'
  return (
    <div className="plans">
      <Segments<Period>
        label={`Billing period of ${offer.name}`}
        choices={{ month: 'Monthly', year: yearly }}
        chosen={period}
        onChoose={setPeriod}
      />
      <div className="plans-choice" role="radiogroup" aria-label={`Plans of ${offer.name}`}>
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
              {price(amountOf(one, period), one.currency)}
              <span> a {period}</span>
            </span>
            <span className="plan-note numbers">
              {period === 'year'
                ? `${price(Math.round(one.year_amount / 12), one.currency)} a month`
                : `or ${price(one.year_amount, one.currency)} a year`}
            </span>
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
          Upgrade to {plan.plan_name} for {price(amountOf(plan, period), plan.currency)} a {period}
        </Button>
        <p className="plan-note">{refusal ?? notes[paidBy ?? 'card']}</p>
      </div>
    </div>
  )
}
