import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Loading, SkeletonRows } from '../ui/states.tsx'
import { t } from '../words/words.ts'
import { failureOf, isPassing } from './failure.ts'
import type { Read } from './read.ts'

interface FailedProps {
  what: string
  error: unknown
  onRetry(): void
  /** A link shown instead of "Try again" if the thing is missing or not allowed. */
  instead?: ReactNode
}

/** What failed, what to do, and the request id if the fault is ours. */
export function Failed({ what, error, onRetry, instead }: FailedProps) {
  const { status, code, message, requestId } = failureOf(error)
  const isRefused = !isPassing(status) && instead !== undefined
  const isOutOfReach = isRefused && (code === 'forbidden' || code.endsWith('_not_found'))
  return (
    <div className="empty" role="alert">
      <h2>{what}</h2>
      <p>{isOutOfReach ? t("It doesn't exist, or you don't have access to it.") : message}</p>
      {isRefused ? instead : <Button onClick={onRetry}>{t('Try again')}</Button>}
      {requestId && <small className="numbers">{t('Request {id}', { id: requestId })}</small>}
    </div>
  )
}

interface ReadingProps<Data> {
  query: Read<Data>
  /** The error title, such as "The boards could not be loaded". */
  failed: string
  skeleton?: ReactNode
  children(data: Data): ReactNode
}

/** Shows the data, a loading state or an error. */
export function Reading<Data>({ query, failed, skeleton = <SkeletonRows />, children }: ReadingProps<Data>) {
  if (query.data !== undefined) return children(query.data)
  if (query.error) return <Failed what={failed} error={query.error} onRetry={() => void query.refetch()} />
  return <Loading>{skeleton}</Loading>
}
