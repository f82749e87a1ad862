import { cardOf } from '../arrangement.ts'
import type { Selectable } from '../selecting.ts'
import type { Selection } from '../selection.ts'
import type { Card } from '../types.ts'
import { isArrow, neighbor } from './keyboard.ts'
import type { Stage } from './stage.ts'

/** The saved cards that are visible, from column to column. */
const shownIn = ({ now }: Stage): Card[] => {
  const { board, visible } = now()
  return board.groups.flatMap(({ id, is_collapsed }) =>
    is_collapsed ? [] : (visible.get(id) ?? []).filter((card) => card.id > 0),
  )
}

/** The selected cards, in the order of the board. */
export const selectedIn = (stage: Stage, selection: Selection): Card[] =>
  shownIn(stage).filter(({ id }) => selection.ids().has(id))

/** Selects the cards of a board. */
export const selectableOf = (stage: Stage): Selectable => ({
  order: () => shownIn(stage).map(({ id }) => id),
  next(cardId, key) {
    const { board, visible } = stage.now()
    const card = cardOf(board, cardId)
    return card && isArrow(key) ? neighbor(board, visible, card, key)?.id : undefined
  },
  focusCard: stage.focusCard,
})
