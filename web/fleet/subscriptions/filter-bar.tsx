import { offersIn } from '../../billing/offers.ts'
import { type Output, platforms } from '../../data/client.ts'
import { useRead } from '../../data/read.ts'
import { Field, FieldSelect } from '../../ui/field.tsx'
import { t } from '../../words/words.ts'
import { type Filters, type View, viewNames } from './filters.ts'

export type SummaryOf = Output<`${typeof platforms}/subscriptions/summarize`>['summary']

/** What each view has, if its number is known. */
const countIn = (view: View, summary: SummaryOf | undefined): number | undefined =>
  view === 'all' ? undefined : summary?.[`${view}_count`]

/** Search and filters of the list; what is chosen is in the address. */
export function FilterBar({ filters, summary }: { filters: Filters; summary: SummaryOf | undefined }) {
  const { given, change, view } = filters
  const { data } = useRead(`${platforms}/plans/list`)
  const plans = new Map(data?.plans.map(({ plan, plan_name }) => [plan, plan_name]))
  return (
    <search className="fleet-filters subscriptions-filters" aria-label={t('Filter subscriptions')}>
      <Field
        label={t('Search')}
        type="search"
        placeholder={t('Project name or id')}
        maxLength={255}
        value={given('q')}
        onChange={(event) => change({ q: event.target.value })}
      />
      <FieldSelect
        label={t('State')}
        value={view}
        onChange={(event) => change({ show: event.target.value, order: '' })}
      >
        {viewNames.map(({ view: one, name }) => {
          const count = countIn(one, summary)
          return (
            <option key={one} value={one}>
              {count === undefined ? name : t('{state}: {count}', { state: name, count })}
            </option>
          )
        })}
      </FieldSelect>
      <FieldSelect
        label={t('Product')}
        value={given('product')}
        onChange={(event) => change({ product: event.target.value })}
      >
        <option value="">{t('Any')}</option>
        {offersIn(data?.plans ?? []).map(({ product, name }) => (
          <option key={product} value={product}>
            {name}
          </option>
        ))}
      </FieldSelect>
      <FieldSelect
        label={t('Plan')}
        value={given('plan')}
        onChange={(event) => change({ plan: event.target.value })}
      >
        <option value="">{t('Any')}</option>
        {[...plans].map(([plan, name]) => (
          <option key={plan} value={plan}>
            {name}
          </option>
        ))}
      </FieldSelect>
    </search>
  )
}
