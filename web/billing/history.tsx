import { useState } from 'react'
import { inGroups } from '#billing/reference.ts'
import type { EventKind } from '#events/catalogue.ts'
import { type Output, platforms } from '../data/client.ts'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { ShowMore } from '../ui/show-more.tsx'
import { SkeletonRows } from '../ui/states.tsx'
import { Ago, dayInText } from '../ui/time.tsx'
import { t } from '../words/words.ts'
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
  const plan = planName(offer, subscription.plan)
  return (
    <details className="product-history" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {!isEarlier
          ? t('History')
          : end === null
            ? t('Earlier: {plan}', { plan })
            : t('Earlier: {plan}, ended {day}', { plan, day: dayInText(end) })}
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
        failed={t('The history could not be loaded')}
        skeleton={<SkeletonRows rows={3} />}
      >
        {(history) =>
          history.length === 0 ? (
            <p className="product-words">{t('No changes yet.')}</p>
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
      <ShowMore query={query} label={t('Show older')} />
    </>
  )
}

const planName = (offer: Offer, plan: string | null) =>
  offer.plans.find((one) => one.plan === plan)?.plan_name ?? plan ?? t('Trial')

type Fields = Partial<Record<keyof Subscription, { from: unknown; to: unknown }>>

type OrderKind = Extract<EventKind, `order.${string}`>
type SubscriptionKind = Extract<EventKind, `subscription.${string}`>

const orderWords: Record<OrderKind, (order: Order, reference: string, offer: Offer) => string> = {
  'order.placed': ({ plan, period }, reference, offer) =>
    t('Ordered: {plan}, {period} ({reference})', {
      plan: planName(offer, plan),
      period: periodNames[period],
      reference,
    }),
  'order.reminded': ({ expires_at }, reference) =>
    t('Reminded to pay by {day} ({reference})', { day: dayInText(expires_at), reference }),
  'order.paid': ({ amount, currency }, reference) =>
    t('Payment received: {amount} ({reference})', { amount: price(amount, currency), reference }),
  'order.expired': (_order, reference) => t('Order expired ({reference})', { reference }),
}

function wordsFor({ kind, data }: Change, offer: Offer): string {
  const order = orderWords[kind as OrderKind]
  // The kind says what `data` is, which the answer's type cannot.
  if (order) return order(data as unknown as Order, inGroups(String(data['reference'])), offer)
  const changes = (data as { changes?: Fields }).changes ?? {}
  const trialEnd = changes.trial_ends_at && dayInText(String(changes.trial_ends_at.to))
  const words: Record<Exclude<SubscriptionKind, 'subscription.updated'>, () => string> = {
    'subscription.trial_started': () =>
      trialEnd ? t('Trial started, until {day}', { day: trialEnd }) : t('Trial started'),
    'subscription.trial_extended': () =>
      trialEnd ? t('Trial extended to {day}', { day: trialEnd }) : t('Trial extended'),
    'subscription.expired': () => t('Trial ended'),
    'subscription.activated': () =>
      changes.plan
        ? t('Paid: {plan}, {period}', {
            plan: planName(offer, String(changes.plan.to)),
            period: periodNames[changes.period?.to as Period] ?? '',
          })
        : t('Payment received'),
    'subscription.payment_failed': () => t('Payment failed'),
    'subscription.canceled': () => t('Subscription ended'),
  }
  const sentence = words[kind as keyof typeof words]
  if (sentence) return sentence()
  if (changes.cancels_at_period_end)
    return changes.cancels_at_period_end.to ? t('Canceled, ends with the period') : t('Resumed')
  if (changes.current_period_ends_at)
    return t('Renewed until {day}', { day: dayInText(String(changes.current_period_ends_at.to)) })
  return trialEnd ? t('Extension undone, until {day}', { day: trialEnd }) : t('Changed')
}
