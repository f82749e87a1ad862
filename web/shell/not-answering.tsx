// Says that the service does not answer, such as while its database is away, and asks it until it does. The event stream does not notice.
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { failureOf } from '../data/failure.ts'
import { t } from '../words/words.ts'

const lookMilliseconds = 2000
/** Reads and writes are answered in far less. */
const patienceMilliseconds = 8000

export default function NotAnswering() {
  const cache = useQueryClient()
  const [isAnswering, setAnswering] = useState(true)
  useEffect(() => watch(cache, setAnswering), [cache])
  if (isAnswering) return null
  return (
    <div className="offline" role="status">
      {t("Cardinal isn't answering. Trying again until it does.")}
    </div>
  )
}

function watch(cache: QueryClient, setAnswering: (isAnswering: boolean) => void) {
  /** When each read or write on its way was first seen. */
  const seenAt = new WeakMap<object, number>()
  let wasAnswering = true
  let isOver = false
  let timer = setTimeout(look, lookMilliseconds)

  async function look() {
    // A read that fails may be at fault itself, and a long one may be a large one: the service says whether it is ready.
    const isAnswering = wasAnswering && !isAnyFailing() ? true : await isReady()
    if (isOver) return
    setAnswering(isAnswering)
    if (isAnswering && !wasAnswering)
      void cache.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    wasAnswering = isAnswering
    timer = setTimeout(look, lookMilliseconds)
  }

  function isAnyFailing(): boolean {
    const reads = cache.getQueryCache().getAll()
    const writes = cache.getMutationCache().getAll()
    const late = [
      ...reads.map((read) => isLate(read, read.state.fetchStatus === 'fetching')),
      ...writes.map((write) => isLate(write, write.state.status === 'pending')),
    ]
    const hasFailed = reads.some(
      ({ state: { fetchFailureReason: reason } }) => reason && failureOf(reason).status >= 500,
    )
    return hasFailed || late.includes(true)
  }

  function isLate(request: object, isOnItsWay: boolean): boolean {
    if (!isOnItsWay) {
      seenAt.delete(request)
      return false
    }
    const at = seenAt.get(request) ?? Date.now()
    seenAt.set(request, at)
    return Date.now() - at >= patienceMilliseconds
  }

  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

const isReady = () =>
  fetch('/api/health/ready', { signal: AbortSignal.timeout(patienceMilliseconds) }).then(
    ({ ok }) => ok,
    () => false,
  )
