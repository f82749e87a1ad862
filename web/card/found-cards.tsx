import { useInfiniteQuery } from '@tanstack/react-query'
import { area, type Input } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'

/** Cards of the project that match, page after page. */
export function useFoundCards(input: Input<`${typeof area}/cards/search`>, isEnabled = true) {
  const { id, client } = useProject()
  const path = `${area}/cards/search` as const
  const query = useInfiniteQuery({
    queryKey: [...keyOf(id, path, input), 'pages'],
    queryFn: ({ pageParam }) => client.call(path, { ...input, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
    enabled: isEnabled,
  })
  return { ...query, cards: query.data?.pages.flatMap((page) => page.cards) }
}
