// The search, the filters and the order of the list, as they are in the address.
import { useSearchParams } from 'wouter'
import { useSettled } from '../../ui/settled.ts'
import { statusNames } from '../subscription-state.tsx'
import type { FleetFilter, SubscriptionStatus } from '../types.ts'

export type Sort = NonNullable<FleetFilter['sort']>

const sorts: readonly Sort[] = ['name', 'created', 'activity', 'progress']

/** The newest and the latest first, if nothing else is asked for. */
const isUsuallyDescending = (sort: Sort) => sort === 'created' || sort === 'activity'

const dayMilliseconds = 86_400_000
/** To the hour, so that the same address asks the same question for a while. */
const daysAgo = (days: number) => {
  const at = new Date(Date.now() - days * dayMilliseconds)
  at.setUTCMinutes(0, 0, 0)
  return at.toISOString()
}

const isStatus = (text: string): text is SubscriptionStatus => text in statusNames
const idIn = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)
const daysIn = (text: string) => (/^\d{1,4}$/.test(text) ? Number(text) : undefined)

export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const given = (name: string) => search.get(name) ?? ''
  const query = useSettled(given('q').trim())
  const sort = sorts.find((one) => one === given('sort')) ?? 'name'
  const isDescending = given('order') === '' ? isUsuallyDescending(sort) : given('order') === 'descending'
  const [status, active, quiet, created] = [
    given('status'),
    daysIn(given('active')),
    daysIn(given('quiet')),
    daysIn(given('created')),
  ]
  const filter: FleetFilter = {
    ...(query !== '' && { query: query.slice(0, 255) }),
    ...(given('product') !== '' && { tool_key: given('product').slice(0, 100) }),
    ...(given('plan') !== '' && { plan: given('plan').slice(0, 100) }),
    ...(isStatus(status) && { subscription_status: status }),
    ...(given('label') !== '' && { label: given('label').slice(0, 255) }),
    ...(idIn(given('theme')) !== undefined && { version_id: idIn(given('theme')) as number }),
    ...(active !== undefined && { active_from: daysAgo(active) }),
    ...(quiet !== undefined && { active_until: daysAgo(quiet) }),
    ...(created !== undefined && { created_from: daysAgo(created) }),
    ...(given('deleted') !== '' && { is_deleted: true }),
  }
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
  const sortBy = (by: Sort) => {
    const isReversed = by === sort && isDescending === isUsuallyDescending(by)
    const order = isUsuallyDescending(by) === isReversed ? 'ascending' : 'descending'
    change({ sort: by === 'name' ? '' : by, order: isReversed ? order : '' })
  }
  return {
    given,
    change,
    clear: () => setSearch({}, { replace: true }),
    isFiltered: Object.keys(filter).length > 0,
    filter,
    sort,
    isDescending,
    sortBy,
  }
}

export type Filters = ReturnType<typeof useFilters>
