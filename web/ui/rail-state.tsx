import { createContext, type ReactNode, use, useState } from 'react'

interface RailState {
  /** On wide pages: folded away by choice. */
  isFolded: boolean
  /** On narrow pages: drawn over the content. */
  isDrawn: boolean
  fold(isFolded: boolean): void
  draw(isDrawn: boolean): void
}

/** As rail.css has it. */
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
