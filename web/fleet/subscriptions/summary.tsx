import { nameOf, offersIn, price } from '../../billing/offers.ts'
import { platforms } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { counted, t } from '../../words/words.ts'
import { Trend } from '../trend.tsx'
import type { SummaryOf } from './filter-bar.tsx'

/** What subscriptions bring: by month, and by plan. */
export function Summary({ summary: { revenue, plans } }: { summary: SummaryOf }) {
  const { data } = useRead(`${platforms}/plans/list`)
  if (revenue.length === 0) return null
  return (
    <div className="subscriptions-summary">
      {revenue.map(({ currency, months }) => (
        <section key={currency} aria-label={t('Recurring revenue')}>
          <h2>{t('Recurring revenue')}</h2>
          <p className="subscriptions-now numbers">
            {t('{amount} a month', { amount: price(months.at(-1)?.amount ?? 0, currency) })}
          </p>
          <Trend
            label={t('At the end of each of the last 12 months')}
            bars={months.map(({ month, amount }) => ({ name: month, value: amount }))}
            shown={(amount) => price(amount, currency)}
          />
        </section>
      ))}
      <section aria-label={t('Paid, by plan')}>
        <h2>{t('Paid, by plan')}</h2>
        <ul>
          {plans.map(({ product, plan, count, month_amount: amount, currency }) => (
            <li key={`${product} ${plan} ${currency}`}>
              <span className="truncate">{nameOf({ product, plan }, offersIn(data?.plans ?? []))}</span>
              <span className="numbers">
                {counted(count, { one: '{count} project', other: '{count} projects' })}
              </span>
              <span className="numbers">{t('{amount} a month', { amount: price(amount, currency) })}</span>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
