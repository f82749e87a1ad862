import { type QueryClient, type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { dismissTopic, forgetLastUndo, showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { noteWritten } from './applying-events.ts'
import { clientOf, type Input, type Output, type Path } from './client.ts'
import { isRestoredAlready, showFailure } from './failure.ts'
import { useProject } from './project.tsx'
import { refreshSoon } from './refresh.ts'
import { fetchToTheEnd } from './sending.ts'

/** A cached read before and after an optimistic change. */
export interface Touched {
  key: QueryKey
  before: unknown
  after: unknown
}

interface Options<P extends Path> {
  /** The error message, such as "The card was not moved". */
  failed: string
  /** Updates the cache before the answer; undone if the service refuses. */
  change?(cache: QueryClient, input: Input<P>): void
  /** Called after a success, even if the component is gone. */
  done?(input: Input<P>, output: Output<P>): void
  /** Responds to a refusal in its own way, and says whether it did: no message is shown then. */
  handles?(error: unknown, input: Input<P>): boolean
  /** The reads to refetch afterwards; all by default. */
  refreshes?: readonly Path[]
  /** Sent one after the other, because their order matters. */
  isInOrder?: boolean
  /** Changes nothing that people would undo, so that the last change can still be undone. */
  isAside?: boolean
}

/** A success takes away the message that the same write has failed before: the same operation, with the same ids in its input. */
function topicOf(path: Path, input: object | undefined): string {
  const ids = Object.entries(input ?? {}).filter(([name]) => /(^|_)id$/.test(name))
  return `${path} ${JSON.stringify(ids)}`
}

/** Writes with an optimistic change: shown at once, undone with a message if refused, and refetched afterwards. */
export function useWrite<P extends Path>(
  path: P,
  { failed, change, done, handles, refreshes, isInOrder, isAside = false }: Options<P>,
) {
  const { id } = useProject()
  const cache = useQueryClient()
  const mutation = useMutation<Output<P>, unknown, Input<P>, Touched[]>({
    mutationKey: [id, path],
    ...(isInOrder && { scope: { id: `${id} ${path}` } }),
    mutationFn: (input) => clientOf(id || undefined, fetchToTheEnd).call(path, input),
    onMutate(input) {
      const before = cache.getQueriesData({ queryKey: [id] })
      change?.(cache, input)
      const touched = before
        .map(([key, data]) => ({ key, before: data, after: cache.getQueryData(key) }))
        .filter((read) => read.before !== read.after)
      // A pending read may not include this change; it is refetched afterwards.
      for (const { key } of touched) void cache.cancelQueries({ queryKey: key, exact: true })
      return touched
    },
    onError(error, input, touched = []) {
      // Data that changed again since is left alone and refetched.
      for (const { key, before, after } of touched)
        if (cache.getQueryData(key) === after) cache.setQueryData(key, before)
      const topic = topicOf(path, input)
      if (handles?.(error, input)) return dismissTopic(topic)
      if (isRestoredAlready(error)) showToast(t('Already restored'), undefined, { topic })
      else showFailure(failed, error, topic)
    },
    onSuccess(output, input, touched) {
      for (const { key } of touched) {
        const query = cache.getQueryCache().find({ queryKey: key, exact: true })
        if (query) noteWritten(query)
      }
      dismissTopic(topicOf(path, input))
      done?.(input, output)
    },
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
  const { mutate, mutateAsync } = mutation
  // At the call, because a toast with the undo of this change may follow before the write begins.
  const begin = useCallback(() => {
    if (!isAside) forgetLastUndo()
  }, [isAside])
  return {
    ...mutation,
    mutate: useCallback<typeof mutate>(
      (...given) => {
        begin()
        mutate(...given)
      },
      [begin, mutate],
    ),
    mutateAsync: useCallback<typeof mutateAsync>(
      (...given) => {
        begin()
        return mutateAsync(...given)
      },
      [begin, mutateAsync],
    ),
  }
}
