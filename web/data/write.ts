import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { showFailure } from '../ui/toast.tsx'
import type { Input, Output, Path } from './client.ts'
import { useProject } from './project.tsx'
import { refreshSoon } from './refresh.ts'

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
  return useMutation<Output<P>, unknown, Input<P>, (() => void) | undefined>({
    mutationKey: [id],
    mutationFn: (input) => client.call(path, ...([input] as never)) as Promise<Output<P>>,
    onMutate(input) {
      if (!change) return undefined
      // What is being read now may not know of this change yet.
      void cache.cancelQueries({ queryKey: [id] })
      const before = cache.getQueriesData({ queryKey: [id] })
      change(cache, input)
      return () => {
        for (const [key, data] of before) cache.setQueryData(key, data)
      }
    },
    onError(error, _input, takeBack) {
      takeBack?.()
      showFailure(failed, error)
    },
    onSuccess: (output, input) => done?.(input, output),
    onSettled: () =>
      refreshSoon(
        cache,
        id,
        ({ queryKey: [, read] }) => refreshes === undefined || refreshes.includes(read as Path),
      ),
  })
}
