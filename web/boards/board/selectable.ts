import { cardOf } from '../arrangement.ts'
import type { Selectable } from '../selecting.ts'
import { isArrow, neighbor } from './keyboard.ts'
import type { Stage } from './stage.ts'

/** The visible cards from column to column. */
export function orderOf({ now }: Stage): number[] {
  const { board, visible } = now()
  return board.groups.flatMap(({ id, is_collapsed }) =>
    is_collapsed ? [] : (visible.get(id) ?? []).flatMap((card) => (card.id > 0 ? [card.id] : [])),
  )
}

/** Selects the cards of a board. */
export const selectableOf = (stage: Stage): Selectable => ({
  order: () => orderOf(stage),
  next(cardId, key) {
    const { board, visible } = stage.now()
    const card = cardOf(board, cardId)
    return card && isArrow(key) ? neighbor(board, visible, card, key)?.id : undefined
  },
  focusCard: stage.focusCard,
})
