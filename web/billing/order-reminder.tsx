import { useLocation } from 'wouter'
import { inGroups } from '#billing/reference.ts'
import { operatorBase, useProject } from '../data/project.tsx'
import { isBillingSuperadminHere } from '../identity/permissions.ts'
import { ButtonLink } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'
import { dayInText } from '../ui/time.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { price } from './offers.ts'
import { OrderLink, paymentOf } from './open-order.tsx'
import { useOpenOrders } from './open-orders.ts'
import type { Order } from './types.ts'
import './order-reminder.css'

/** Reminds of an unpaid order on every page that does not show it anyway. */
export default function OrderReminder() {
  const { base, me } = useProject()
  const [location] = useLocation()
  const order = useOpenOrders().find(({ reminded_at }) => reminded_at !== null)
  if (!order || location === `${base}/subscription`) return null
  return (
    <div className="order-reminder">
      {isBillingSuperadminHere(me) ? <ToBook order={order} /> : <ToPay order={order} />}
    </div>
  )
}

const ToPay = ({ order }: { order: Order }) => (
  <Notice look="warning" title={paymentOf(order)} action={<OrderLink order={order} />}>
    {rich("Your order {reference} is unpaid. If the payment is on its way, there's nothing to do.", {
      reference: <span className="numbers">{inGroups(order.reference)}</span>,
    })}
  </Notice>
)

function ToBook({ order }: { order: Order }) {
  const { reference, project_name, amount, currency, expires_at } = order
  const address = `${operatorBase}/orders?${new URLSearchParams({ q: inGroups(reference) })}`
  return (
    <Notice
      look="warning"
      title={t('{project} has an unpaid order', { project: project_name })}
      action={<ButtonLink href={address}>{t('Go to order')}</ButtonLink>}
    >
      {rich('{amount}, due {day}. Reference: {reference}', {
        amount: price(amount, currency),
        day: dayInText(expires_at),
        reference: <span className="numbers">{inGroups(reference)}</span>,
      })}
    </Notice>
  )
}
