import { useEffect, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { area, type Input, identity } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useRead } from '../../data/read.ts'
import { useNow } from '../../ui/clock.ts'
import { useSettled } from '../../ui/settled.ts'
import { useFoundCards } from '../card/found-cards.tsx'
import { isFiltering, matches, readFilters, turningPoints } from '../filter/filters.ts'

const none: never[] = []

/** Filters, tables and calendars need all cards; with more than this, people ask for the next ones. */
const mostLoaded = 2000

type Found = ReturnType<typeof useFoundCards>

function useNextPages({ hasNextPage, isFetching, isError, fetchNextPage }: Found, isNeeded: boolean) {
  const needsMore = isNeeded && hasNextPage
  useEffect(() => {
    if (needsMore && !isFetching && !isError) void fetchNextPage()
  }, [needsMore, isFetching, isError, fetchNextPage])
  return needsMore
}

/** The longest query of the service. */
const longestQuery = 255

/** Which of the cards have the words of the text filter in their descriptions, which only the service knows. */
export function useDescribed(cards: Input<`${typeof area}/cards/search`>): ReadonlySet<number> | undefined {
  const [search] = useSearchParams()
  const text = (search.get('text') ?? '').trim().slice(0, longestQuery)
  const query = useSettled(text)
  const isAsked = text !== '' && query !== ''
  const found = useFoundCards({ ...cards, query }, isAsked)
  useNextPages(found, isAsked)
  const pages = isAsked ? found.data?.pages : undefined
  return useMemo(() => pages && new Set(pages.flatMap((page) => page.cards.map(({ id }) => id))), [pages])
}

/** Applies the filters of the address to found cards of several boards. Snoozed and hidden cards are shown too. */
export function useFoundFilters(query: Found, described?: ReadonlySet<number>) {
  const { me } = useProject()
  const [search] = useSearchParams()
  const { data: memberRead } = useRead(`${identity}/members/list`)
  const { data: tagRead } = useRead(`${area}/tags/list`)
  const cards = query.cards ?? none
  const filters = useMemo(() => {
    const commented = cards.filter(({ comments_count }) => comments_count > 0)
    // Unread comments cannot be asked for here.
    const comments = new Map(commented.map(({ id }) => [id, { unread_count: 0 }]))
    return { ...readFilters(search, me.user.id, comments), showsAll: true, ...(described && { described }) }
  }, [search, me.user.id, cards, described])
  const now = useNow(useMemo(() => turningPoints(cards), [cards]))
  const shown = useMemo(() => cards.filter((card) => matches(card, filters, now)), [cards, filters, now])
  const view = search.get('view') ?? 'list'
  const needsMore = useNextPages(
    query,
    (isFiltering(filters) || view !== 'list') && cards.length < mostLoaded,
  )
  return {
    shown,
    view,
    cards,
    tags: tagRead?.tags ?? none,
    members: memberRead?.members ?? none,
    count: query.cards && { shown: shown.length, total: cards.length, hasMore: query.hasNextPage },
    isFiltering: isFiltering(filters),
    /** True while the next cards are loaded without being asked for. */
    isLoadingAll: needsMore,
  }
}
