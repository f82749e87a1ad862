import { Printer } from 'lucide-react'
import { useParams } from 'wouter'
import { inGroups } from '#billing/reference.ts'
import { platforms } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { together, useRead } from '../../data/read.ts'
import { Failed } from '../../data/reading.tsx'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Loading, SkeletonRows } from '../../ui/states.tsx'
import { fullDay } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { nameOf, type Offer, offersIn, periodNames, price } from '../offers.ts'
import type { Payment } from '../types.ts'
import './page.css'

/** A payment to keep or to print. */
export default function ReceiptPage() {
  const { base } = useProject()
  const id = Number(useParams<{ receipt: string }>().receipt)
  const { data, error, refetch } = together(
    useRead(`${platforms}/payments/get`, { id }),
    useRead(`${platforms}/plans/list`),
  )
  const back = <ButtonLink href={`${base}/subscription`}>{t('Back to the subscription')}</ButtonLink>
  const print = (
    <Button look="primary" icon={<Printer />} onClick={() => window.print()}>
      {t('Print')}
    </Button>
  )
  return (
    <Page title={t('Receipt {number}', { number: id })} width="form" actions={data && print}>
      {data ? (
        <>
          <Receipt payment={data[0].payment} offers={offersIn(data[1].plans)} />
          <p className="receipt-back">{back}</p>
        </>
      ) : error ? (
        <Failed
          what={t('The receipt could not be loaded')}
          error={error}
          onRetry={() => void refetch()}
          instead={back}
        />
      ) : (
        <Loading>
          <SkeletonRows />
        </Loading>
      )}
    </Page>
  )
}

function Receipt({ payment, offers }: { payment: Payment; offers: readonly Offer[] }) {
  const facts: [name: string, value: string][] = [
    [t('Project'), payment.project_name],
    [t('Plan'), `${nameOf(payment, offers)}, ${periodNames[payment.period]}`],
    [t('Paid'), fullDay(payment.paid_at)],
    [t('Paid by'), payment.paid_by === 'card' ? t('Card', { as: 'payment' }) : t('Bank transfer')],
  ]
  if (payment.reference !== null) facts.push([t('Reference'), inGroups(payment.reference)])
  return (
    <dl className="receipt">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd dir="auto">{value}</dd>
        </div>
      ))}
      <div className="receipt-total">
        <dt>{t('Total')}</dt>
        <dd className="numbers">{price(payment.amount, payment.currency)}</dd>
      </div>
    </dl>
  )
}
