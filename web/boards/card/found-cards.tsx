import { keepPreviousData } from '@tanstack/react-query'
import { area, type Input } from '../../data/client.ts'
import { usePages } from '../../data/read.ts'

/** Searches the project's cards, page by page; earlier results stay until there is an answer. */
export function useFoundCards(input: Input<`${typeof area}/cards/search`>, isEnabled = true) {
  const query = usePages(`${area}/cards/search`, input, {
    enabled: isEnabled,
    placeholderData: keepPreviousData,
  })
  const cards = query.data?.pages.flatMap((page) => page.cards)
  // An empty result of the last query says nothing about this one.
  return { ...query, cards: query.isPlaceholderData && cards?.length === 0 ? undefined : cards }
}
