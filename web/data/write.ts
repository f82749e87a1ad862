import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Input, Output, Path } from './client.ts'
import { showFailure } from './failure.ts'
import { useProject } from './project.tsx'
import { refreshSoon } from './refresh.ts'

/** Something that was read, before and after a change was shown in it. */
interface Touched {
  key: QueryKey
  before: unknown
  after: unknown
}

interface Options<P extends Path> {
  /** What did not happen when it is refused: "The card was not moved". */
  failed: string
  /** Shows the outcome before the answer; it is taken back when the answer is a refusal. */
  change?(cache: QueryClient, input: Input<P>): void
  /** After a success, also when whoever asked for it is not shown any more. */
  done?(input: Input<P>, output: Output<P>): void
  /** What is read again afterwards, where it is not everything. */
  refreshes?: readonly Path[]
}

/** Changes something: shown at once, sent, taken back with a message when refused, and made true by what is read afterwards. */
export function useWrite<P extends Path>(path: P, { failed, change, done, refreshes }: Options<P>) {
  const { id, client } = useProject()
  const cache = useQueryClient()
  return useMutation<Output<P>, unknown, Input<P>, Touched[]>({
    mutationKey: [id],
    mutationFn: (input) => client.call(path, input),
    onMutate(input) {
      const before = cache.getQueriesData({ queryKey: [id] })
      change?.(cache, input)
      const touched = before
        .map(([key, data]) => ({ key, before: data, after: cache.getQueryData(key) }))
        .filter((read) => read.before !== read.after)
      // What is being read of it now may not know of this change yet; it is read again afterwards.
      for (const { key } of touched) void cache.cancelQueries({ queryKey: key, exact: true })
      return touched
    },
    onError(error, _input, touched = []) {
      // What was changed since is left as it is, and made true by reading it again.
      for (const { key, before, after } of touched)
        if (cache.getQueryData(key) === after) cache.setQueryData(key, before)
      showFailure(failed, error)
    },
    onSuccess: (output, input) => done?.(input, output),
    onSettled: (_output, _error, _input, touched = []) =>
      refreshSoon(
        cache,
        id,
        ({ queryKey }) =>
          refreshes === undefined ||
          refreshes.includes(queryKey[1] as Path) ||
          touched.some(({ key }) => key === queryKey),
      ),
  })
}
