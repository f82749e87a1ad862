import { Link } from 'wouter'
import { platforms } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { usePages } from '../data/read.ts'
import { Reading } from '../data/reading.tsx'
import { useRefusal } from '../identity/permissions.ts'
import { ShowMore } from '../ui/show-more.tsx'
import { Empty } from '../ui/states.tsx'
import '../ui/table.css'
import { fullDay } from '../ui/time.tsx'
import { hidden } from '../words/hidden.tsx'
import { rich } from '../words/rich.tsx'
import { t } from '../words/words.ts'
import { nameOf, type Offer, price } from './offers.ts'

/** What the project has paid, for people who may pay. */
export function Payments({ offers }: { offers: readonly Offer[] }) {
  const mayPay = useRefusal('upgrade') === undefined
  const { base } = useProject()
  const query = usePages(`${platforms}/payments/list`, { limit: 20 }, { enabled: mayPay })
  const payments = query.data?.pages.flatMap((page) => page.payments)
  if (!mayPay) return null
  return (
    <section className="payments">
      <Reading query={{ ...query, data: payments }} failed={t('The payments could not be loaded')}>
        {(all) =>
          all.length === 0 ? (
            <Empty title={t('No payments yet')}>{t('Each payment appears here with its receipt.')}</Empty>
          ) : (
            <table className="table">
              <caption>{t('Payments')}</caption>
              <thead className="visually-hidden">
                <tr>
                  <th scope="col">{t('Paid')}</th>
                  <th scope="col">{t('Plan')}</th>
                  <th scope="col">{t('Amount')}</th>
                  <th scope="col">{t('Receipt')}</th>
                </tr>
              </thead>
              <tbody>
                {all.map((payment) => (
                  <tr key={payment.id}>
                    <th scope="row" className="numbers">
                      {fullDay(payment.paid_at)}
                    </th>
                    <td>{nameOf(payment, offers)}</td>
                    <td className="numbers">{price(payment.amount, payment.currency)}</td>
                    <td>
                      <Link href={`${base}/receipts/${payment.id}`} className="table-link">
                        {rich('Receipt<hidden> for {plan} of {day}</hidden>', {
                          hidden,
                          plan: nameOf(payment, offers),
                          day: fullDay(payment.paid_at),
                        })}
                      </Link>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Reading>
      <ShowMore query={query} label={t('Show older')} />
    </section>
  )
}
