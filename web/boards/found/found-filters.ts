import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { area, identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useNow } from '../../ui/clock.ts'
import type { useFoundCards } from '../card/found-cards.tsx'
import { isFiltering, matches, readFilters, turningPoints } from '../filter/filters.ts'

const none: never[] = []

/** Filters, tables and calendars need all cards; with more than this, people ask for the next ones. */
const mostLoaded = 2000

/** Applies the filters of the address to cards of several boards, which the service has found and all of which are shown otherwise. */
export function useFoundFilters(query: ReturnType<typeof useFoundCards>) {
  const { me } = useProject()
  const [search] = useSearchParams()
  const { data: memberRead } = useRead(`${identity}/members/list`)
  const { data: tagRead } = useRead(`${area}/tags/list`)
  const cards = query.cards ?? none
  const filters = useMemo(() => {
    const commented = cards.filter(({ comments_count }) => comments_count > 0)
    // Unread comments cannot be asked for here.
    const comments = new Map(commented.map(({ id }) => [id, { unread_count: 0 }]))
    return { ...readFilters(search, me.user.id, comments), showsAll: true }
  }, [search, me.user.id, cards])
  const now = useNow(useMemo(() => turningPoints(cards), [cards]))
  const shown = useMemo(() => cards.filter((card) => matches(card, filters, now)), [cards, filters, now])
  const view = search.get('view') ?? 'list'
  const { hasNextPage, isFetching, isError, fetchNextPage } = query
  const needsMore = (isFiltering(filters) || view !== 'list') && hasNextPage && cards.length < mostLoaded
  useEffect(() => {
    if (needsMore && !isFetching && !isError) void fetchNextPage()
  }, [needsMore, isFetching, isError, fetchNextPage])
  return {
    shown,
    view,
    cards,
    tags: tagRead?.tags ?? none,
    members: memberRead?.members ?? none,
    count: query.cards && { shown: shown.length, total: cards.length, hasMore: hasNextPage },
    isFiltering: isFiltering(filters),
    /** True while the next cards are loaded without being asked for. */
    isLoadingAll: needsMore,
  }
}
