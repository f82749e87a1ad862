import { Link } from 'wouter'
import { periodNames, price } from '../../billing/offers.ts'
import { useProject } from '../../data/project.tsx'
import { dayName, fullTime } from '../../ui/time.tsx'
import { t } from '../../words/words.ts'
import { type Column, FleetTable } from '../fleet-table.tsx'
import { SubscriptionState } from '../subscription-state.tsx'
import type { Filters, Sort } from './filters.ts'
import type { ListedSubscription } from './page.tsx'

const columns: readonly Column<ListedSubscription, Sort>[] = [
  {
    label: t('Project'),
    sort: 'name',
    width: 'minmax(min(190px, 30vw), 1fr)',
    isName: true,
    cell: (subscription) => <Name subscription={subscription} />,
  },
  {
    label: t('Subscription'),
    width: 'minmax(min(206px, 34vw), 240px)',
    className: 'fleet-subscriptions',
    cell: (subscription) => <SubscriptionState subscription={subscription} />,
  },
  {
    label: t('Ends'),
    sort: 'end',
    width: 'minmax(88px, 120px)',
    cell: ({ ends_at }) =>
      ends_at !== null && (
        <time dateTime={ends_at} data-tip={fullTime(ends_at)}>
          {dayName(ends_at)}
        </time>
      ),
  },
  {
    label: t('Billed'),
    width: '96px',
    isOptional: true,
    isWide: true,
    cell: ({ period }) => period !== null && periodNames[period],
  },
  {
    label: t('A month'),
    width: '96px',
    className: 'fleet-number numbers',
    isOptional: true,
    cell: ({ month_amount: amount, currency, status }) =>
      amount !== null && currency !== null && status !== 'canceled' && price(amount, currency),
  },
  {
    label: t('Note'),
    width: 'minmax(120px, 160px)',
    isOptional: true,
    cell: ({ cancels_at_period_end: isEnding, status }) =>
      isEnding && status !== 'canceled' && t('Cancels at the end'),
  },
]

interface Props {
  subscriptions: readonly ListedSubscription[]
  count: number
  filters: Pick<Filters, 'sort' | 'isDescending' | 'sortBy'>
  selected: ReadonlySet<number>
  onSelect(selected: ReadonlySet<number>): void
  onEnd: (() => void) | undefined
}

export const SubscriptionTable = ({ subscriptions, filters, ...rest }: Props) => (
  <FleetTable
    label={t('Subscriptions')}
    rows={subscriptions}
    columns={columns}
    nameOf={({ project_name: name }) => name}
    order={filters}
    {...rest}
  />
)

function Name({ subscription: { project_id, project_name } }: { subscription: ListedSubscription }) {
  const { base } = useProject()
  return (
    <Link href={`${base}/projects/${project_id}`} className="fleet-link truncate" dir="auto">
      {project_name}
    </Link>
  )
}
