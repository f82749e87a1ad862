import { createContext, type ReactNode, type RefObject, use } from 'react'
import type { Card } from '../types.ts'
import type { Registry } from './registry.ts'
import type { Stage } from './stage.ts'

/** Draws what has to be known of a card without opening it; another function where something else is to be known. */
export type CardFace = (card: Card) => ReactNode

/** What the columns and cards of a board have in common. */
export interface BoardParts {
  stage: Stage
  /** What scrolls from column to column. */
  scroller: RefObject<HTMLElement | null>
  /** By group: what opens the field for a new card, or brings the focus to it. */
  quickAdds: Registry<() => void> | undefined
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
