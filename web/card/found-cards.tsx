import { area, type Input } from '../data/client.ts'
import { usePages } from '../data/read.ts'

/** Cards of the project that match, page after page. */
export function useFoundCards(input: Input<`${typeof area}/cards/search`>, isEnabled = true) {
  const query = usePages(`${area}/cards/search`, input, { enabled: isEnabled })
  return { ...query, cards: query.data?.pages.flatMap((page) => page.cards) }
}
