// The search, the filters and the order of the list, as they are in the address.
import { useSearchParams } from 'wouter'
import { useSettled } from '../../ui/settled.ts'
import { changed, filterIn, idIn } from '../audiences/filter.ts'
import type { FleetFilter } from '../types.ts'

export type Sort = NonNullable<FleetFilter['sort']>

const sorts: readonly Sort[] = ['name', 'created', 'activity', 'progress']

/** The newest and the latest first, if nothing else is asked for. */
const isUsuallyDescending = (sort: Sort) => sort === 'created' || sort === 'activity'

export function useFilters() {
  const [search, setSearch] = useSearchParams()
  const given = (parameter: string) => search.get(parameter) ?? ''
  const query = useSettled(given('q'))
  const sort = sorts.find((one) => one === given('sort')) ?? 'name'
  const isDescending = given('order') === '' ? isUsuallyDescending(sort) : given('order') === 'descending'
  const saved = filterIn((parameter) => (parameter === 'q' ? query : given(parameter)))
  const platform = idIn(given('platform'))
  const filter: FleetFilter = {
    ...saved,
    ...(platform !== undefined && { platform_id: platform }),
    ...(given('deleted') !== '' && { is_deleted: true }),
    ...(given('archived') !== '' && { is_archived: true }),
  }
  const change = (values: Record<string, string>) =>
    setSearch((before) => changed(before, values), { replace: true })
  const sortBy = (by: Sort) => {
    const isReversed = by === sort && isDescending === isUsuallyDescending(by)
    const order = isUsuallyDescending(by) === isReversed ? 'ascending' : 'descending'
    change({ sort: by === 'name' ? '' : by, order: isReversed ? order : '' })
  }
  return {
    given,
    change,
    /** The address of this list with other values. */
    address: (values: Record<string, string>) => `?${changed(search, values)}`,
    clear: () => setSearch({}, { replace: true }),
    isFiltered: Object.keys(filter).length > 0,
    filter,
    /** What an audience can have; it belongs to one platform. */
    saved,
    platform,
    sort,
    isDescending,
    sortBy,
  }
}

export type Filters = ReturnType<typeof useFilters>
