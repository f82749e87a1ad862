import type { ReactNode } from 'react'
import type { Hue } from '#text/colors.ts'
import './badge.css'

/** A status in a word, with an icon so that color is not needed. */
export const Badge = ({ hue, icon, children }: { hue: Hue; icon: ReactNode; children: ReactNode }) => (
  <span className="badge" data-hue={hue}>
    {icon}
    {children}
  </span>
)
