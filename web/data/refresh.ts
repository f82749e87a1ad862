import type { Query, QueryClient } from '@tanstack/react-query'

type Concerns = (query: Query) => boolean

const waiting = new Map<number, Concerns[]>()
const lastRun = new Map<number, number>()
const gatherMilliseconds = 60
/** A board on which many people work at once is read twice a second, which stays far below the limit of requests. */
const restMilliseconds = 500

/** Reading a list again would drop the page that somebody has just asked for. */
const isAddingPage = ({ state }: Query) =>
  state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore !== undefined

/**
 * Reads again what a change concerns. Gathered, because an own change is told twice: by its answer and by the event stream;
 * and not while another change is on its way, whose outcome is shown already and would be taken back for a moment.
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
    void cache.invalidateQueries({
      queryKey: [projectId],
      predicate: (query) => all.some((isConcerned) => isConcerned(query)),
    })
  }
}
