import { useEffect, useRef } from 'react'

/** For a button that turns into a field: focus is on the button again once the field is closed by a key or a button of its own. */
export function useFocusReturn(isOpen: boolean) {
  const button = useRef<HTMLButtonElement>(null)
  const returns = useRef(false)
  useEffect(() => {
    if (!isOpen && returns.current) button.current?.focus()
    returns.current = false
  }, [isOpen])
  /** Said before it closes; leaving the field by pointer is not such a closing. */
  const willReturn = () => {
    returns.current = true
  }
  return { button, willReturn }
}
