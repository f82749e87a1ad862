import { useState } from 'react'
import { inGroups } from '#billing/reference.ts'
import { type Output, platforms } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { SkeletonRows } from '../ui/states.tsx'
import { Ago, dayInText } from '../ui/time.tsx'
import { type Offer, type Period, periodNames, price } from './offers.ts'
import type { Order, Subscription } from './types.ts'

type Change = Output<`${typeof platforms}/subscriptions/get`>['history'][number]

interface Props {
  subscription: Subscription
  offer: Offer
  /** True for an ended subscription if there is a newer one. */
  isEarlier?: boolean
}

/** The history of a subscription, loaded when it is opened. */
export function History({ subscription, offer, isEarlier }: Props) {
  const [isOpen, setOpen] = useState(false)
  const end = subscription.current_period_ends_at
  return (
    <details className="product-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {isEarlier
          ? `Earlier: ${planName(offer, subscription.plan)}${end === null ? '' : `, ended ${dayInText(end)}`}`
          : 'History'}
      </summary>
      {isOpen && <Changes id={subscription.id} offer={offer} />}
    </details>
  )
}

function Changes({ id, offer }: { id: number; offer: Offer }) {
  const query = usePages(`${platforms}/subscriptions/get`, { id, limit: 20 })
  const changes = query.data?.pages.flatMap((page) => page.history)
  return (
    <>
      <Reading
        query={{ ...query, data: changes }}
        failed="The history could not be loaded"
        skeleton={<SkeletonRows rows={3} />}
      >
        {(history) =>
          history.length === 0 ? (
            <p className="product-words">No changes yet.</p>
          ) : (
            <ol className="product-changes">
              {history.map((change) => (
                <li key={change.id}>
                  <span>{wordsFor(change, offer)}</span>
                  <span className="product-when">
                    {change.actor_name !== null && <span dir="auto">{change.actor_name} · </span>}
                    <Ago at={change.created_at} />
                  </span>
                </li>
              ))}
            </ol>
          )
        }
      </Reading>
      <ShowMore query={query} label="Show older" />
    </>
  )
}

const planName = (offer: Offer, plan: string | null) =>
  offer.plans.find((one) => one.plan === plan)?.plan_name ?? plan ?? 'Trial'

type Fields = Partial<Record<keyof Subscription, { from: unknown; to: unknown }>>

const orderWords: Record<string, (order: Order, offer: Offer) => string> = {
  'order.placed': ({ plan, period }, offer) => `Ordered: ${planName(offer, plan)}, ${periodNames[period]}`,
  'order.reminded': ({ expires_at }) => `Reminded to pay by ${dayInText(expires_at)}`,
  'order.paid': ({ amount, currency }) => `Payment received: ${price(amount, currency)}`,
  'order.expired': () => 'Order expired',
}

function wordsFor({ kind, data }: Change, offer: Offer): string {
  const order = orderWords[kind]
  if (order) return `${order(data as unknown as Order, offer)} (${inGroups(String(data['reference']))})`
  const changes = (data as { changes?: Fields }).changes ?? {}
  const day = (words: string, field: keyof Subscription) =>
    changes[field] ? `${words} ${dayInText(String(changes[field].to))}` : ''
  const words: Record<string, () => string> = {
    'subscription.trial_started': () => `Trial started${day(', until', 'trial_ends_at')}`,
    'subscription.trial_extended': () => `Trial extended${day(' to', 'trial_ends_at')}`,
    'subscription.expired': () => 'Trial ended',
    'subscription.activated': () =>
      changes.plan
        ? `Paid: ${planName(offer, String(changes.plan.to))}, ${periodNames[changes.period?.to as Period] ?? ''}`
        : 'Payment received',
    'subscription.payment_failed': () => 'Payment failed',
    'subscription.canceled': () => 'Subscription ended',
  }
  const sentence = words[kind]
  if (sentence) return sentence()
  if (changes.cancels_at_period_end)
    return changes.cancels_at_period_end.to ? 'Canceled, ends with the period' : 'Resumed'
  if (changes.current_period_ends_at) return `Renewed${day(' until', 'current_period_ends_at')}`
  return 'Changed'
}
