import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../words/words.ts'
import './states.css'

/** Shows nothing for the first 150 ms, because most answers arrive by then and a flash would distract. */
export function Loading({ children, label = t('Loading') }: { children: ReactNode; label?: string }) {
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

/** Placeholder lines of a list. */
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

/** Shown until the code of a list is loaded. */
export const LoadingRows = () => (
  <div className="loading-rows">
    <Loading>
      <SkeletonRows rows={10} />
    </Loading>
  </div>
)

/** An empty state: one sentence and one action. */
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
