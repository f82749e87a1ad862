import { type ReactNode, useEffect, useState } from 'react'
import { failureOf, isPassing } from '../data/failure.ts'
import type { Read } from '../data/read.ts'
import { Button, ButtonLink } from './button.tsx'
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

export const Skeleton = ({
  width = '100%',
  height = 12,
}: {
  width?: string | number | undefined
  height?: number
}) => <span className="skeleton" style={{ width, height }} />

const rowWidths = ['38%', '52%', '31%', '45%', '58%']

/** Lines of a list that is on its way. */
export const SkeletonRows = ({ rows = 6 }: { rows?: number }) => (
  <div className="skeleton-rows">
    {Array.from({ length: rows }, (_, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike.
      <div key={index} className="skeleton-row">
        <Skeleton width={rowWidths[index % rowWidths.length]} />
        <Skeleton width={56} />
      </div>
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

export const NoSuchPage = ({ boards }: { boards: string }) => (
  <Empty title="There is no such page" action={<ButtonLink href={boards}>Go to the boards</ButtonLink>}>
    The address may be mistyped, or the page has moved.
  </Empty>
)

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
