import {
  type keepPreviousData,
  type QueryKey,
  type UseQueryResult,
  useInfiniteQuery,
  useQuery,
} from '@tanstack/react-query'
import type { Input, Output, Path, PathWithoutInput } from './client.ts'
import { useProject } from './project.tsx'

/** Every key is [project, path, input], so that events can find the reads they affect. */
export const keyOf = <P extends Path>(projectId: number, path: P, input?: Input<P>): QueryKey =>
  input === undefined ? [projectId, path] : [projectId, path, input]

interface ReadOptions {
  enabled?: boolean
  /** For data that other projects change without an event here: refetched whenever it is shown. */
  refetchOnMount?: 'always'
  /** The previous result stays until the next input has an answer. */
  placeholderData?: typeof keepPreviousData
}

/** Reads an operation; events keep the data up to date. */
export function useRead<P extends PathWithoutInput>(
  path: P,
  input?: undefined,
  options?: ReadOptions,
): UseQueryResult<Output<P>>
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

/** The same for a list with pages. */
export function usePages<P extends PagedPath>(path: P, input: Input<P>, options: ReadOptions = {}) {
  const { id, client } = useProject()
  return useInfiniteQuery({
    queryKey: [...keyOf(id, path, input), 'pages'],
    queryFn: ({ pageParam }) => client.call(path, { ...input, cursor: pageParam }),
    initialPageParam: null as string | null,
    getNextPageParam: (page: Output<P>) => (page as { next_cursor: string | null }).next_cursor,
    ...options,
  })
}

/** The state that `Reading` shows. */
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

/** Combines two reads; the data is there when both are. */
export function together<Reads extends readonly Read<unknown>[]>(...reads: Reads): Read<DataOf<Reads>> {
  const all: readonly unknown[] = reads.map(({ data }) => data)
  return {
    data: isComplete<DataOf<Reads>>(all) ? all : undefined,
    error: reads.find(({ data, error }) => error && data === undefined)?.error,
    refetch: () => reads.map(({ refetch }) => refetch()),
  }
}
