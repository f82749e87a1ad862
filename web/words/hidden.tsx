import type { ReactNode } from 'react'

/** A part of a text that only screen readers read, for `rich`. */
export const hidden = (text: ReactNode) => <span className="visually-hidden">{text}</span>
