import { saveAllPages } from '../../data/save-all-pages.ts'
import { csvMark, csvRow } from '../../ui/csv.ts'
import type { ListedSubscription } from './page.tsx'

/** The columns have the names of the API. */
const columns = [
  'id',
  'project_id',
  'project_name',
  'product',
  'plan',
  'period',
  'status',
  'ends_at',
  'cancels_at_period_end',
  'month_amount',
  'currency',
] as const satisfies (keyof ListedSubscription)[]

interface ListPage {
  subscriptions: readonly ListedSubscription[]
  next_cursor: string | null
}

export const downloadCsv = (read: (page: { limit: number; cursor: string | null }) => Promise<ListPage>) =>
  saveAllPages(read, {
    name: 'subscriptions.csv',
    head: csvMark + csvRow(columns),
    rows: ({ subscriptions }) =>
      subscriptions.map((one) => csvRow(columns.map((column) => String(one[column] ?? '')))).join(''),
  })
