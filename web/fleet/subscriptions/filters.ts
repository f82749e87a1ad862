// The search, the filters and the order of the list, as they are in the address.
import { useSearchParams } from 'wouter'
import type { Input, platforms } from '../../data/client.ts'
import { useSettled } from '../../ui/settled.ts'
import { t } from '../../words/words.ts'

type Filter = Input<`${typeof platforms}/subscriptions/list-all`>
export type Sort = NonNullable<Filter['sort']>

const soonDays = 7
/** To the hour, so that the same address asks the same question for a while. */
function inDays(days: number): string {
  const at = new Date(Date.now() + days * 86_400_000)
  at.setUTCMinutes(60, 0, 0)
  return at.toISOString()
}

/** What an operator looks at, each with its filter. */
const views = {
  ending: {
    name: t('Trials ending in 7 days'),
    filter: () => ({ status: 'trialing', ends_until: inDays(soonDays) }),
  },
  past_due: { name: t('Payment overdue'), filter: () => ({ status: 'past_due' }) },
  canceled: { name: t('Canceled'), filter: () => ({ status: 'canceled', is_descending: true }) },
  trialing: { name: t('Trials'), filter: () => ({ status: 'trialing' }) },
  expired: { name: t('Trials ended'), filter: () => ({ status: 'expired', is_descending: true }) },
  active: { name: t('Active'), filter: () => ({ status: 'active' }) },
  all: { name: t('All'), filter: () => ({}) },
} as const satisfies Record<string, { name: string; filter(): Filter }>

export type View = keyof typeof views

export const viewNames = Object.entries(views).map(([view, { name }]) => ({ view: view as View, name }))

const sorts: readonly Sort[] = ['end', 'name']

export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  const query = useSettled(given('q').trim())
  const view = viewNames.find((one) => one.view === given('show'))?.view ?? 'ending'
  const chosen: Filter = views[view].filter()
  const sort = sorts.find((one) => one === given('sort')) ?? 'end'
  const isUsuallyDescending = sort === 'end' && chosen.is_descending === true
  const isDescending = given('order') === '' ? isUsuallyDescending : given('order') === 'descending'
  /** Empty values are left out of the address. */
  const change = (values: Record<string, string>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(values))
          if (value === '') next.delete(name)
          else next.set(name, value)
        return next
      },
      { replace: true },
    )
  return {
    given,
    change,
    view,
    sort,
    isDescending,
    filter: {
      ...chosen,
      ...(query !== '' && { query: query.slice(0, 255) }),
      ...(given('product') !== '' && { product: given('product').slice(0, 100) }),
      ...(given('plan') !== '' && { plan: given('plan').slice(0, 100) }),
      sort,
      is_descending: isDescending,
    } satisfies Filter,
    sortBy: (by: Sort) =>
      change({
        sort: by === 'end' ? '' : by,
        order: by === sort ? (isDescending ? 'ascending' : 'descending') : '',
      }),
  }
}

export type Filters = ReturnType<typeof useFilters>
