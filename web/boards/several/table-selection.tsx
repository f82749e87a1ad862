import { type KeyboardEvent, type RefObject, useMemo, useRef } from 'react'
import type { Member } from '../../projects/types.ts'
import { focusedCard } from '../card/card-menu.tsx'
import { useRefusals } from '../refusals.ts'
import type { Selectable, Selecting } from '../selecting.ts'
import { type Selection, useSelection } from '../selection.ts'
import type { Board, Tag } from '../types.ts'
import { useSelectedCards } from './selected-cards.tsx'
import type { Selected } from './several.ts'

interface Props {
  /** Undefined if the cards are on several boards. */
  board?: Board
  cards: readonly Selected[]
  tags: readonly Tag[]
  members: readonly Member[]
}

/** Selects the cards of a table or a list; undefined for people who may not change them. */
export function useTableSelection({ board, cards, tags, members }: Props) {
  const { refusal, deleteRefusal } = useRefusals()
  const selection = useSelection()
  const table = useRef<Selectable>(undefined)
  const held = useMemo(() => new Map(cards.map((card) => [card.id, card])), [cards])
  const { onDeleteKey, menu, elements } = useSelectedCards({
    board,
    tags,
    members,
    selection,
    refusal,
    deleteRefusal,
    selected: () => selectedIn(table, selection).flatMap((id) => held.get(id) ?? []),
    onLeave: () => leave(table, selection),
    onEnd: () => end(table, selection),
  })
  const latest = useRef(onDeleteKey)
  latest.current = onDeleteKey
  const selecting = useMemo<Selecting>(
    () => ({
      selection,
      view: table,
      onKey: (event: KeyboardEvent, cardId: number) => latest.current(event, cardId),
    }),
    [selection],
  )
  return refusal === undefined ? { selecting, menu, elements } : undefined
}

type Table = RefObject<Selectable | undefined>

/** The selected cards that are shown, in the order of the rows. */
const selectedIn = ({ current: table }: Table, selection: Selection): number[] =>
  (table?.order() ?? []).filter((id) => selection.ids().has(id))

/** The focus goes to the nearest row that stays. */
function leave(table: Table, selection: Selection) {
  const order = table.current?.order() ?? []
  const place = order.findIndex((id) => selection.ids().has(id))
  const stays = (id: number) => !selection.ids().has(id)
  const next = order.slice(place).find(stays) ?? order.slice(0, place).findLast(stays)
  selection.set([])
  // Once the bar and the dialog are gone.
  if (next !== undefined) requestAnimationFrame(() => table.current?.focusCard(next))
}

function end(table: Table, selection: Selection) {
  const [first] = selectedIn(table, selection)
  selection.set([])
  if (first !== undefined && focusedCard() === undefined) table.current?.focusCard(first)
}
