import type { ReactNode } from 'react'
import './badge.css'

export type Hue = 'red' | 'amber' | 'green' | 'teal' | 'blue' | 'grey'

/** The state of a thing, in a word; the icon tells it apart without colour. */
export const Badge = ({ hue, icon, children }: { hue: Hue; icon: ReactNode; children: ReactNode }) => (
  <span className="badge" data-hue={hue}>
    {icon}
    {children}
  </span>
)
