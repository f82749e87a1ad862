import { createContext, type KeyboardEvent, type ReactNode, use } from 'react'
import type { Card } from '../data/types.ts'
import type { MenuEntry } from '../ui/menu.tsx'
import type { CardActions, GroupActions } from './actions.ts'

/** Draws what has to be known of a card without opening it; another function where something else is to be known. */
export type CardFace = (card: Card) => ReactNode

/** What the parts of a board have in common; the same object for as long as the board is open. */
export interface BoardParts {
  cards: CardActions
  groups: GroupActions
  /** Why nothing can be changed, if so. */
  refusal: string | undefined
  manageRefusal: string | undefined
  hrefOf(cardId: number): string
  showAllHref: string | undefined
  cardMenu(cardId: number): MenuEntry[]
  groupMenu(groupId: number): MenuEntry[]
  onCardKey(event: KeyboardEvent, cardId: number): void
  onGripKey(event: KeyboardEvent, groupId: number): void
  /** A column says how to bring one of its cards into view. */
  register(groupId: number, reveal: (cardId: number) => void): () => void
}

export const BoardContext = createContext<BoardParts | undefined>(undefined)

export function useBoard(): BoardParts {
  const parts = use(BoardContext)
  if (!parts) throw new Error('This component belongs inside a board.')
  return parts
}
