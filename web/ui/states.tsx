import { type ReactNode, useEffect, useState } from 'react'
import { failureOf } from '../data/failure.ts'
import { Button } from './button.tsx'
import './states.css'

/** Nothing for the first 150 ms, because most answers are there by then and a flash is worse than a moment's rest. */
export function Loading({ children, label = 'Loading' }: { children: ReactNode; label?: string }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 150)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" aria-label={label} className="loading">
      {isLate && children}
    </div>
  )
}

export const Skeleton = ({ width = '100%', height = 16 }: { width?: string | number; height?: number }) => (
  <span className="skeleton" style={{ width, height }} />
)

/** Lines of a list that is on its way. */
export const SkeletonRows = ({ rows = 6 }: { rows?: number }) => (
  <div className="skeleton-rows">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
      <Skeleton key={index} height={40} />
    ))}
  </div>
)

/** One sentence, and one thing to do about it. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  )
}

/** What failed, what to do, and the id that finds it in the log. */
export function Failed({ what, error, onRetry }: { what: string; error: unknown; onRetry?: () => void }) {
  const { message, requestId } = failureOf(error)
  return (
    <div className="empty" role="alert">
      <h2>{what}</h2>
      <p>{message}</p>
      {onRetry && <Button onClick={onRetry}>Try again</Button>}
      {requestId && <small className="numbers">Request {requestId}</small>}
    </div>
  )
}

interface ReadingProps<Data> {
  query: { data: Data | undefined; error: unknown; refetch(): unknown }
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
