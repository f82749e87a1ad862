import { useEffect, useState } from 'react'

const restMilliseconds = 200

/** The value once it has stayed the same for a moment, so that not every letter is a question to the service. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMilliseconds)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
