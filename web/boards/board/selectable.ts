import { cardOf } from '../arrangement.ts'
import type { Selectable } from '../selecting.ts'
import type { Selection } from '../selection.ts'
import type { Card } from '../types.ts'
import { isArrow, neighbor } from './keyboard.ts'
import type { Stage } from './stage.ts'

/** The visible cards of which something is true, from column to column. */
const shownIn = ({ now }: Stage, isMeant: (card: Card) => boolean): Card[] => {
  const { board, visible } = now()
  return board.groups.flatMap(({ id, is_collapsed }) =>
    is_collapsed ? [] : (visible.get(id) ?? []).filter(isMeant),
  )
}

/** The selected cards, in the order of the board. */
export function selectedIn(stage: Stage, selection: Selection): Card[] {
  const ids = selection.ids()
  return shownIn(stage, ({ id }) => ids.has(id))
}

const isSaved = ({ id }: Card) => id > 0

/** Selects the cards of a board. */
export const selectableOf = (stage: Stage): Selectable => ({
  order: () => shownIn(stage, isSaved).map(({ id }) => id),
  next(cardId, key) {
    const { board, visible } = stage.now()
    const card = cardOf(board, cardId)
    return card && isArrow(key) ? neighbor(board, visible, card, key)?.id : undefined
  },
  focusCard: stage.focusCard,
})
