import { useEffect, useState } from 'react'
import { isTyping } from '../../ui/commands.ts'
import { useShortcut } from '../../ui/shortcuts.ts'
import type { FilterBarProps } from './filter-bar.tsx'

/** In place of the bar until its code is loaded: keeps what the person types after `/`. */
export function AwaitedFilterBar({ wanted }: FilterBarProps) {
  const [isWanted, setWanted] = useState(false)
  useShortcut('/', () => setWanted(true))
  useEffect(() => {
    if (!isWanted || !wanted) return
    wanted.current = ''
    const keep = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey, target } = event
      const isLetter = key.length === 1
      if (ctrlKey || metaKey || altKey || isTyping(target) || !(isLetter || key === 'Backspace')) return
      event.preventDefault()
      event.stopPropagation()
      wanted.current = isLetter ? wanted.current + key : (wanted.current ?? '').slice(0, -1)
    }
    // Before the keys of the page.
    addEventListener('keydown', keep, { capture: true })
    return () => removeEventListener('keydown', keep, { capture: true })
  }, [isWanted, wanted])
  return null
}
