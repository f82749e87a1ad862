import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Loading, SkeletonRows } from '../ui/states.tsx'
import { failureOf, isPassing } from './failure.ts'
import type { Read } from './read.ts'

interface FailedProps {
  what: string
  error: unknown
  onRetry(): void
  /** Where to go when trying again would not help, because it is not there or not for this person. */
  instead?: ReactNode
}

/** What failed, what to do, and the id that finds it in the log. */
export function Failed({ what, error, onRetry, instead }: FailedProps) {
  const { status, message, requestId } = failureOf(error)
  const isRefused = !isPassing(status) && instead !== undefined
  return (
    <div className="empty" role="alert">
      <h2>{what}</h2>
      <p>{message}</p>
      {isRefused ? instead : <Button onClick={onRetry}>Try again</Button>}
      {!isRefused && requestId && <small className="numbers">Request {requestId}</small>}
    </div>
  )
}

interface ReadingProps<Data> {
  query: Read<Data>
  /** What did not happen when it fails: "The boards could not be loaded". */
  failed: string
  skeleton?: ReactNode
  children(data: Data): ReactNode
}

/** What was read, or that it is on its way, or why it is not there. */
export function Reading<Data>({ query, failed, skeleton = <SkeletonRows />, children }: ReadingProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed what={failed} error={query.error} onRetry={() => void query.refetch()} />
  return <Loading>{skeleton}</Loading>
}
