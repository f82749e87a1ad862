import type { Query, QueryClient } from '@tanstack/react-query'
import { settleByEvents } from './applying-events.ts'

type Concerns = (query: Query) => boolean

const waiting = new Map<number, Concerns[]>()
const lastRun = new Map<number, number>()
const gatherMilliseconds = 60
/** A busy board is refetched at most twice a second, far below the rate limit. */
const restMilliseconds = 500

/** Refetching a list would drop a page that is being loaded. */
const isAddingPage = ({ state }: Query) =>
  state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore !== undefined

/**
 * Refetches what a change affects. Calls are combined, because each change of this tab arrives twice: with its answer and by the event
 * stream. It waits while another change is pending, because a refetch would undo its optimistic result for a moment.
 */
export function refreshSoon(cache: QueryClient, projectId: number, concerns: Concerns) {
  const asked = waiting.get(projectId)
  if (asked) return void asked.push(concerns)
  const all = [concerns]
  waiting.set(projectId, all)
  const sinceLast = Date.now() - (lastRun.get(projectId) ?? 0)
  setTimeout(run, Math.max(gatherMilliseconds, restMilliseconds - sinceLast))
  function run() {
    const isBusy =
      cache.isMutating({ mutationKey: [projectId] }) > 0 ||
      cache
        .getQueryCache()
        .findAll({ queryKey: [projectId] })
        .some(isAddingPage)
    if (isBusy) return void setTimeout(run, gatherMilliseconds)
    waiting.delete(projectId)
    lastRun.set(projectId, Date.now())
    const concerned = cache
      .getQueryCache()
      .findAll({ queryKey: [projectId], predicate: (query) => all.some((concerns) => concerns(query)) })
      .filter((query) => !settleByEvents(query))
    for (const query of concerned.filter(isFirstRead)) refreshOnceRead(cache, query)
    void cache.invalidateQueries({ predicate: (query) => concerned.includes(query) })
  }
}

const isFirstRead = ({ state }: Query) => state.fetchStatus === 'fetching' && state.data === undefined

/** Invalidating does not start a first read again, although its answer may be older than the change. */
function refreshOnceRead(cache: QueryClient, query: Query) {
  const refresh = () => void cache.invalidateQueries({ predicate: (one) => one === query })
  // The read that is under way; people see if it fails, and try again.
  query.fetch().then(refresh, () => {})
}
