import { CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import './notice.css'

const looks = {
  plain: { hue: 'gray', icon: <Info /> },
  success: { hue: 'green', icon: <CircleCheck /> },
  warning: { hue: 'amber', icon: <TriangleAlert /> },
} as const

interface Props {
  look?: keyof typeof looks
  title: ReactNode
  children?: ReactNode
  /** A button or link to act on it. */
  action?: ReactNode
}

/** A message that the person should see before continuing. */
export function Notice({ look = 'plain', title, children, action }: Props) {
  const { hue, icon } = looks[look]
  return (
    <div className="notice" role="status" data-hue={hue}>
      {icon}
      <div className="notice-words">
        <p className="notice-title">{title}</p>
        {children && <p>{children}</p>}
      </div>
      {action}
    </div>
  )
}
