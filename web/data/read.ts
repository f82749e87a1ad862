import {
  type keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { Input, Output, Path, PathWithoutInput } from './client.ts'
import { useProject } from './project.tsx'

/** Every key is [project, path, input], so what an event concerns is found without a list of keys. */
export const keyOf = <P extends Path>(projectId: number, path: P, input?: Input<P>): QueryKey =>
  input === undefined ? [projectId, path] : [projectId, path, input]

export interface ReadOptions {
  enabled?: boolean
  /** For what other projects change: no event tells of it here, so it is asked for anew whenever it is shown. */
  refetchOnMount?: 'always'
}

/** The data of an operation that changes nothing; it stays true by itself, because events refresh it. */
export function useRead<P extends PathWithoutInput>(path: P): UseQueryResult<Output<P>>
export function useRead<P extends Path>(
  path: P,
  input: Input<P>,
  options?: ReadOptions,
): UseQueryResult<Output<P>>
export function useRead(path: Path, input?: Input<Path>, options: ReadOptions = {}) {
  const { id, client } = useProject()
  return useQuery({
    queryKey: keyOf(id, path, input),
    queryFn: () => client.call(path, input ?? {}),
    ...options,
  })
}

type PagedPath = {
  [P in Path]: Output<P> extends { next_cursor: string | null } ? P : never
}[Path]

/** The same for a long list, page after page. */
export function usePages<P extends PagedPath>(
  path: P,
  input: Input<P>,
  /** `placeholderData`: what is shown for one input stays until there is an answer for the next. */
  options: ReadOptions & { placeholderData?: typeof keepPreviousData } = {},
) {
  const { id, client } = useProject()
  return useInfiniteQuery({
    queryKey: [...keyOf(id, path, input), 'pages'],
    queryFn: ({ pageParam }) => client.call(path, { ...input, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Output<P>) => (page as { next_cursor: string | null }).next_cursor,
    ...options,
  })
}

/** What `Reading` shows the state of. */
export interface Read<Data> {
  data: Data | undefined
  error: unknown
  refetch(): unknown
}

const isComplete = <All extends readonly unknown[]>(all: readonly unknown[]): all is All =>
  !all.includes(undefined)

type DataOf<Reads extends readonly Read<unknown>[]> = {
  [Index in keyof Reads]: NonNullable<Reads[Index]['data']>
}

/** Several reads as one, which is there when all of them are. */
export function together<Reads extends readonly Read<unknown>[]>(...reads: Reads): Read<DataOf<Reads>> {
  const all: readonly unknown[] = reads.map(({ data }) => data)
  return {
    data: isComplete<DataOf<Reads>>(all) ? all : undefined,
    error: reads.find(({ data, error }) => error && data === undefined)?.error,
    refetch: () => reads.map(({ refetch }) => refetch()),
  }
}
