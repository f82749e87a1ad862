import type { ReactNode } from 'react'
import './ending.css'

/** The end of a way in: what happened, and what to do next. */
export const Ending = ({
  title,
  children,
  action,
}: {
  title: string
  children: ReactNode
  action?: ReactNode
}) => (
  <div className="entrance-end" role="status">
    <h2>{title}</h2>
    <p>{children}</p>
    {action}
  </div>
)
