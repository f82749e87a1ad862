import { keepPreviousData } from '@tanstack/react-query'
import { BellRing, Check } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'wouter'
import { inGroups } from '#billing/reference.ts'
import { platforms } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { together, usePages, useRead } from '../../data/read.ts'
import { Reading } from '../../data/reading.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Page } from '../../ui/page.tsx'
import { useSettled } from '../../ui/settled.ts'
import { ShowMore } from '../../ui/show-more.tsx'
import { Empty } from '../../ui/states.tsx'
import { Ago, dayInText } from '../../ui/time.tsx'
import { rich } from '../../words/rich.tsx'
import { t } from '../../words/words.ts'
import { type Offer, offersIn, type PaidBy, periodNames, price } from '../offers.ts'
import type { Order } from '../types.ts'
import { BookPayment } from './book-payment.tsx'
import './page.css'

export default function OrdersPage() {
  const { base } = useProject()
  const [search, setSearch] = useSearchParams()
  const text = search.get('q') ?? ''
  const query = useSettled(text.trim())
  const found = usePages(`${platforms}/orders/list-open`, query === '' ? {} : { query }, {
    refetchOnMount: 'always',
    placeholderData: keepPreviousData,
  })
  const orders = found.data?.pages.flatMap((page) => page.orders)
  const read = together(useRead(`${platforms}/plans/list`), { ...found, data: orders })
  return (
    <Page
      title={t('Open orders')}
      actions={<ButtonLink href={`${base}/subscriptions`}>{t('Go to subscriptions')}</ButtonLink>}
    >
      <search className="orders-search">
        <Field
          label={t('Reference or project')}
          type="search"
          maxLength={255}
          value={text}
          onChange={(event) =>
            setSearch(event.target.value === '' ? {} : { q: event.target.value }, { replace: true })
          }
        />
      </search>
      <Reading query={read} failed={t('The orders could not be loaded')}>
        {([{ plans, paid_by }, open]) =>
          open.length === 0 ? (
            <NoOrders query={query} paidBy={paid_by} />
          ) : (
            <ul className="orders" aria-label={t('Open orders')}>
              {open.map((order) => (
                <OrderRow key={order.id} order={order} offers={offersIn(plans)} />
              ))}
            </ul>
          )
        }
      </Reading>
      <ShowMore query={found} label={t('Show newer')} />
    </Page>
  )
}

function NoOrders({ query, paidBy }: { query: string; paidBy: PaidBy }) {
  if (query !== '')
    return (
      <Empty title={t('No open order for “{query}”', { query })}>
        {t("Check the reference, or search for the project. Paid and expired orders aren't listed.")}
      </Empty>
    )
  return (
    <Empty title={t('No open orders')}>
      {paidBy === 'invoice'
        ? t('Plans that projects order appear here until you book their payment.')
        : t(
            'Plans are paid by card here. With payment by invoice, orders appear here until you book their payment.',
          )}
    </Empty>
  )
}

function OrderRow({ order, offers }: { order: Order; offers: Offer[] }) {
  const [isBooking, setBooking] = useState(false)
  const { product, plan, period, amount, currency, reference, reminded_at, expires_at } = order
  const offer = offers.find((one) => one.product === product)
  const planName = offer?.plans.find((one) => one.plan === plan)?.plan_name ?? plan
  return (
    <li>
      <div className="orders-words">
        <h2 className="numbers">
          <a href={order.url}>{inGroups(reference)}</a>
          {reminded_at !== null && (
            <Badge hue="amber" icon={<BellRing />}>
              {t('Reminded')}
            </Badge>
          )}
        </h2>
        <p>
          {rich('{project} · {plan}, {period} · ordered {ago} · due {day}', {
            project: <span dir="auto">{order.project_name}</span>,
            plan: `${offer?.name ?? product} ${planName}`,
            period: periodNames[period],
            ago: <Ago at={order.created_at} />,
            day: dayInText(expires_at),
          })}
        </p>
      </div>
      <p className="orders-amount numbers">{price(amount, currency)}</p>
      <Button icon={<Check />} onClick={() => setBooking(true)}>
        {t('Book payment…')}
        <span className="visually-hidden"> {reference}</span>
      </Button>
      {isBooking && <BookPayment order={order} onClose={() => setBooking(false)} />}
    </li>
  )
}
