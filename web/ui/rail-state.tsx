import { createContext, type ReactNode, use, useState } from 'react'

interface RailState {
  /** On wide windows: collapsed by choice. */
  isFolded: boolean
  /** On narrow windows: open above the content. */
  isDrawn: boolean
  fold(isFolded: boolean): void
  draw(isDrawn: boolean): void
}

/** The same value as in rail.css. */
export const narrowPage = '(max-width: 820px)'

const RailContext = createContext<RailState | undefined>(undefined)

export function RailProvider({ children }: { children: ReactNode }) {
  const [isFolded, setFolded] = useState(localStorage.getItem('rail') === 'folded')
  const [isDrawn, setDrawn] = useState(false)
  const fold = (wanted: boolean) => {
    setFolded(wanted)
    localStorage.setItem('rail', wanted ? 'folded' : 'open')
  }
  return <RailContext value={{ isFolded, isDrawn, fold, draw: setDrawn }}>{children}</RailContext>
}

export function useRail(): RailState {
  const state = use(RailContext)
  if (!state) throw new Error('This component belongs inside the shell.')
  return state
}
