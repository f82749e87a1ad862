import { createContext, use } from 'react'
import type { Stage } from './stage.ts'

/** What the columns and cards of a board have in common. */
export interface BoardParts {
  stage: Stage
  /** Why nothing can be changed, if so. */
  refusal: string | undefined
  manageRefusal: string | undefined
  hrefOf(cardId: number): string
  /** The same board with snoozed and dismissed cards. */
  showAllHref: string
}

export const BoardContext = createContext<BoardParts | undefined>(undefined)

export function useBoard(): BoardParts {
  const parts = use(BoardContext)
  if (!parts) throw new Error('This component belongs inside a board.')
  return parts
}
