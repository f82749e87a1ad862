import { createContext, type ReactNode, type RefObject, use } from 'react'
import type { Card } from '../types.ts'
import type { Registry } from './registry.ts'
import type { Stage } from './stage.ts'

/** Renders the details below a card's title; boards and templates use different ones. */
export type CardFace = (card: Card) => ReactNode

/** What the columns and cards of a board share. */
export interface BoardParts {
  stage: Stage
  /** What scrolls from column to column. */
  scroller: RefObject<HTMLElement | null>
  /** By group: opens or focuses the field for a new card. */
  quickAdds: Registry<() => void> | undefined
  /** Identifies the board in the names of drafts. */
  place: string
  /** Why the board cannot be changed, if it cannot. */
  refusal: string | undefined
  manageRefusal: string | undefined
  collapseRefusal: string | undefined
  hrefOf(cardId: number): string
  /** The address that also shows snoozed and hidden cards, if they are not shown already. */
  showAllHref: string | undefined
}

export const BoardContext = createContext<BoardParts | undefined>(undefined)

export function useBoard(): BoardParts {
  const parts = use(BoardContext)
  if (!parts) throw new Error('This component belongs inside a board.')
  return parts
}
