import { inGroups } from '#billing/reference.ts'
import { Notice } from '../ui/notice.tsx'
import { dayInText } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { type Offer, periodNames, price } from './offers.ts'
import { useOpenOrders } from './open-orders.ts'
import type { Order, Subscription } from './types.ts'

/** The unpaid order of a subscription, for people who may pay it. */
export function OpenOrder({ offer, current }: { offer: Offer; current: Subscription }) {
  const order = useOpenOrders().find(({ subscription_id }) => subscription_id === current.id)
  if (!order) return null
  const plan = offer.plans.find((one) => one.plan === order.plan)
  return (
    <Notice title={paymentOf(order)} action={<OrderLink order={order} />}>
      {rich('{plan}, {period}. Reference: {reference}', {
        plan: `${offer.name} ${plan?.plan_name ?? order.plan}`,
        period: periodNames[order.period],
        reference: <span className="numbers">{inGroups(order.reference)}</span>,
      })}
    </Notice>
  )
}

export const paymentOf = ({ amount, currency, expires_at }: Order) =>
  t('Transfer {amount} by {day}', { amount: price(amount, currency), day: dayInText(expires_at) })

/** Not a link of the app: the service serves the order page itself. */
export const OrderLink = ({ order }: { order: Order }) => (
  <a href={order.url} className="button button-secondary">
    {t('Show bank details')}
  </a>
)
