import { useInfiniteQuery } from '@tanstack/react-query'
import type { Input, Output, Path } from './client.ts'
import { useProject } from './project.tsx'
import { keyOf, type ReadOptions } from './read.ts'

/** The operations that give a list a page at a time. */
type PagedPath = {
  [P in Path]: Output<P> extends { next_cursor: string | null } ? P : never
}[Path]

/** Like `useRead`, page after page: `fetchNextPage` adds the next one to `data.pages`. */
export function usePages<P extends PagedPath>(path: P, input: Input<P>, options: ReadOptions = {}) {
  const { id, client } = useProject()
  return useInfiniteQuery({
    queryKey: [...keyOf(id, path, input), 'pages'],
    queryFn: ({ pageParam }) =>
      client.call(path, ...([{ ...(input as object), cursor: pageParam }] as never)) as Promise<Output<P>>,
    initialPageParam: null as string | null,
    getNextPageParam: (page) => (page as { next_cursor: string | null }).next_cursor,
    ...options,
  })
}
