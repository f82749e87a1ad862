import { keepPreviousData } from '@tanstack/react-query'
import { area, type Input } from '../../data/client.ts'
import { usePages } from '../../data/read.ts'

/** Cards of the project that match, page after page; those found before stay until there is an answer. */
export function useFoundCards(input: Input<`${typeof area}/cards/search`>, isEnabled = true) {
  const query = usePages(`${area}/cards/search`, input, {
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
  const cards = query.data?.pages.flatMap((page) => page.cards)
  // That the last words found nothing says nothing about these.
  return { ...query, cards: query.isPlaceholderData && cards?.length === 0 ? undefined : cards }
}
