import type { Query, QueryClient } from '@tanstack/react-query'

type Concerns = (query: Query) => boolean

const waiting = new Map<number, { concerns: Concerns[]; timer: ReturnType<typeof setTimeout> }>()
const gatherMilliseconds = 60

/**
 * Reads again what a change concerns. Gathered, because an own change is told twice: by its answer and by the event stream;
 * and not while another change is on its way, whose outcome is shown already and would be taken back for a moment.
 */
export function refreshSoon(cache: QueryClient, projectId: number, concerns: Concerns) {
  const asked = waiting.get(projectId)
  if (asked) return void asked.concerns.push(concerns)
  const later = () => setTimeout(run, gatherMilliseconds)
  const entry = { concerns: [concerns], timer: later() }
  waiting.set(projectId, entry)
  function run() {
    if (cache.isMutating({ mutationKey: [projectId] }) > 0) {
      entry.timer = later()
      return
    }
    waiting.delete(projectId)
    void cache.invalidateQueries({
      queryKey: [projectId],
      predicate: (query) => entry.concerns.some((isConcerned) => isConcerned(query)),
    })
  }
}
