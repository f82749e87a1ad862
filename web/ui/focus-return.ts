import { useEffect, useRef } from 'react'

/** For a button that becomes a field: returns the focus to the button after the field is closed by a key or a button. */
export function useFocusReturn(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const from = useRef<Element>(null)
  useEffect(() => {
    // The person may have gone on in another field while this one was being saved.
    if (!isOpen && from.current?.isConnected === false) button.current?.focus()
    from.current = null
  }, [isOpen])
  /** Called before it closes; not when the field is left by pointer. */
  const willReturn = () => {
    from.current = document.activeElement
  }
  return { button, willReturn }
}
