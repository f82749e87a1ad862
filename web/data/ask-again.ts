import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Input, Path } from './client.ts'
import { useProject } from './project.tsx'
import { refreshSoon } from './refresh.ts'

/** Polls a read, because data outside of projects has no events. */
export function useAskAgain<P extends Path>(path: P, milliseconds: number, input?: Input<P>) {
  const { id } = useProject()
  const cache = useQueryClient()
  // As text, because callers pass a new object on every render.
  const only = input && JSON.stringify(input)
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'hidden') return
      refreshSoon(
        cache,
        id,
        ({ queryKey: [, read, asked], state }) =>
          read === path &&
          state.dataUpdatedAt > 0 &&
          // A read that takes longer than the time between two would be canceled by the next one, again and again.
          state.fetchStatus !== 'fetching' &&
          (only === undefined || only === JSON.stringify(asked)),
      )
    }
    ask()
    const timer = setInterval(ask, milliseconds)
    return () => clearInterval(timer)
  }, [id, cache, path, milliseconds, only])
}
