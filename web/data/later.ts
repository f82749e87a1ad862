import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { shortcutOf } from '../ui/shortcuts.ts'

/** Loads code that may be needed next: not before the keys of the page, and not while something is being written, which it would delay. */
export function useLater(load: () => void) {
  const cache = useQueryClient()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is called once.
  useEffect(() => {
    const timer = setInterval(() => {
      if (!shortcutOf('commands') || cache.isMutating() > 0) return
      clearInterval(timer)
      load()
    }, 500)
    return () => clearInterval(timer)
  }, [cache])
}
