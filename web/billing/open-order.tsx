import { inGroups } from '#billing/reference.ts'
import { Notice } from '../ui/notice.tsx'
import { dayInText } from '../ui/time.tsx'
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
      {offer.name} {plan?.plan_name ?? order.plan}, {periodNames[order.period]}. Reference:{' '}
      <span className="numbers">{inGroups(order.reference)}</span>
    </Notice>
  )
}

export const paymentOf = ({ amount, currency, expires_at }: Order) =>
  `Transfer ${price(amount, currency)} by ${dayInText(expires_at)}`

/** Not a link of the app: the service serves the order page itself. */
export const OrderLink = ({ order }: { order: Order }) => (
  <a href={order.url} className="button button-secondary">
    Show bank details
  </a>
)
