import { useEffect, useState } from 'react'
import { failureOf } from '../data/failure.ts'

const usualMilliseconds = 15_000
const retryMilliseconds = 1000

/** Whether the service answers, where no event stream tells it. `ask` is a cheap call. */
export function useReachable(ask: () => Promise<unknown>): boolean {
  const [isReachable, setReachable] = useState(true)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let isOver = false
    const look = async () => {
      clearTimeout(timer)
      // A refusal is an answer.
      const answers = await ask().then(
        () => true,
        (error: unknown) => failureOf(error).status !== 0,
      )
      if (isOver) return
      setReachable(answers)
      clearTimeout(timer)
      timer = setTimeout(look, answers ? usualMilliseconds : retryMilliseconds)
    }
    const onOffline = () => setReachable(false)
    timer = setTimeout(look, usualMilliseconds)
    window.addEventListener('offline', onOffline)
    window.addEventListener('online', look)
    return () => {
      isOver = true
      clearTimeout(timer)
      window.removeEventListener('offline', onOffline)
      window.removeEventListener('online', look)
    }
  }, [ask])
  return isReachable
}
