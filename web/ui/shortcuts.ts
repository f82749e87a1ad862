import { useEffect, useRef } from 'react'

/** `commands` opens the command menu. */
type Key = 'c' | '/' | 'commands'

const shortcuts = new Map<Key, (() => void)[]>()

/** What a key does on this page; elsewhere the shell has an answer of its own. */
export function useShortcut(key: Key, action: () => void): void {
  const latest = useRef(action)
  latest.current = action
  useEffect(() => {
    const act = () => latest.current()
    const others = () => (shortcuts.get(key) ?? []).filter((other) => other !== act)
    shortcuts.set(key, [...others(), act])
    return () => void shortcuts.set(key, others())
  }, [key])
}

export const shortcutOf = (key: Key): (() => void) | undefined => shortcuts.get(key)?.at(-1)
