import type { QueryClient } from '@tanstack/react-query'
import { admin } from '../../data/client.ts'
import type { Rollout } from './types.ts'

interface Read {
  rollout?: Rollout
  rollouts?: readonly Rollout[]
  pages?: readonly Read[]
}

/** Shows a rollout with another status before the answer, which waits for batches that are just ending. */
export function showAs(cache: QueryClient, id: number, status: Rollout['status']) {
  const changed = (rollout: Rollout) => (rollout.id === id ? { ...rollout, status } : rollout)
  const withStatus = (read: Read): Read => ({
    ...read,
    ...(read.rollout && { rollout: changed(read.rollout) }),
    ...(read.rollouts && { rollouts: read.rollouts.map(changed) }),
    ...(read.pages && { pages: read.pages.map(withStatus) }),
  })
  cache.setQueriesData<Read>(
    {
      predicate: ({ queryKey: [, path] }) =>
        path === `${admin}/rollouts/get` || path === `${admin}/rollouts/list`,
    },
    (read) => read && withStatus(read),
  )
}
