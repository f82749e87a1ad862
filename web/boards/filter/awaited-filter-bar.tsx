import { useShortcut } from '../../ui/shortcuts.ts'
import type { FilterBarProps } from './filter-bar.tsx'

/** In place of the bar until its code is loaded: remembers that the person has pressed `/`. */
export function AwaitedFilterBar({ isWanted }: FilterBarProps) {
  useShortcut('/', () => {
    if (isWanted) isWanted.current = true
  })
  return null
}
