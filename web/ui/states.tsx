import { type ReactNode, useEffect, useState } from 'react'
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
