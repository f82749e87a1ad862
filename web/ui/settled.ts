import { useEffect, useState } from 'react'

const restMilliseconds = 200

/** The value after it has been stable for a moment, so that not every keystroke sends a request. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMilliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
