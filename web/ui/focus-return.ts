import { useEffect, useRef } from 'react'

/** For a button that becomes a field: returns the focus to the button after the field is closed by a key or a button. */
export function useFocusReturn(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  useEffect(() => {
    if (!isOpen && returns.current) button.current?.focus()
    returns.current = false
  }, [isOpen])
  /** Called before it closes; not when the field is left by pointer. */
  const willReturn = () => {
    returns.current = true
  }
  return { button, willReturn }
}
