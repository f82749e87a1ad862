import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Path } from './client.ts'
import { useProject } from './project.tsx'
import { refreshSoon } from './refresh.ts'

/** Reads again, now and every so often: what belongs to no project has no events that tell of it. */
export function useAskAgain(path: Path, milliseconds: number) {
  const { id } = useProject()
  const cache = useQueryClient()
  useEffect(() => {
    const ask = () => {
      if (document.visibilityState === 'hidden') return
      refreshSoon(cache, id, ({ queryKey: [, read], state }) => read === path && state.dataUpdatedAt > 0)
    }
    ask()
    const timer = setInterval(ask, milliseconds)
    return () => clearInterval(timer)
  }, [id, cache, path, milliseconds])
}
