import { createContext, type ReactNode, use } from 'react'
import type { Card } from '../types.ts'
import type { Stage } from './stage.ts'

/** Draws what has to be known of a card without opening it; another function where something else is to be known. */
export type CardFace = (card: Card) => ReactNode

/** What the columns and cards of a board have in common. */
export interface BoardParts {
  stage: Stage
  /** Which board it is, in the names of drafts. */
  place: string
  /** Why nothing can be changed, if so. */
  refusal: string | undefined
  manageRefusal: string | undefined
  hrefOf(cardId: number): string
  /** The same board with the cards that are tucked away, where they are not shown already. */
  showAllHref: string | undefined
}

export const BoardContext = createContext<BoardParts | undefined>(undefined)

export function useBoard(): BoardParts {
  const parts = use(BoardContext)
  if (!parts) throw new Error('This component belongs inside a board.')
  return parts
}
