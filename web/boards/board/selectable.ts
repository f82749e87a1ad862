import { cardOf } from '../arrangement.ts'
import type { Selectable } from '../selecting.ts'
import type { Selection } from '../selection.ts'
import type { Card } from '../types.ts'
import { isArrow, neighbor } from './keyboard.ts'
import type { Stage, Visible } from './stage.ts'

/** The visible cards with their places, from column to column; made once for each state of the board, since every step of a selection asks for them. */
const places = new WeakMap<Visible, Map<number, { card: Card; place: number }>>()

function placesIn({ now }: Stage) {
  const { board, visible } = now()
  const known = places.get(visible)
  if (known) return known
  const cards = board.groups.flatMap(({ id, is_collapsed }) => (is_collapsed ? [] : (visible.get(id) ?? [])))
  const made = new Map(cards.map((card, place) => [card.id, { card, place }]))
  places.set(visible, made)
  return made
}

/** The selected cards, in the order of the board. */
export function selectedIn(stage: Stage, selection: Selection): Card[] {
  const all = placesIn(stage)
  return [...selection.ids()]
    .flatMap((id) => all.get(id) ?? [])
    .sort((a, b) => a.place - b.place)
    .map(({ card }) => card)
}

/** Selects the cards of a board. */
export const selectableOf = (stage: Stage): Selectable => ({
  // A card that is not saved yet has no id of its own.
  order: () => [...placesIn(stage).keys()].filter((id) => id > 0),
  next(cardId, key) {
    const { board, visible } = stage.now()
    const card = cardOf(board, cardId)
    return card && isArrow(key) ? neighbor(board, visible, card, key)?.id : undefined
  },
  focusCard: stage.focusCard,
})
