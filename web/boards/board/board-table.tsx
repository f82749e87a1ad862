import { SquareCheck } from 'lucide-react'
import { type KeyboardEvent, type RefObject, useCallback, useMemo, useRef } from 'react'
import type { Member } from '../../projects/types.ts'
import { t } from '../../words/words.ts'
import { useCardActions } from '../card/card-actions.ts'
import { focusedCard } from '../card/card-menu.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { type Selectable, toggle } from '../selecting.ts'
import { type Selection, useSelection } from '../selection.ts'
import CardTable from '../table/table.tsx'
import type { Board, Card, ListedCard } from '../types.ts'
import { useRefusals } from './refusals.ts'
import { RowMenu } from './row-menu.tsx'
import { useSelectedCards } from './selected-cards.tsx'
import { cardsOf } from './several.ts'

export interface OtherViewProps {
  board: Board
  members: readonly Member[]
  /** The cards that the filters leave, in the order of the board. */
  cards: readonly Card[]
  openCardId: number | undefined
  returnTo: number | undefined
  hrefOf(card: ListedCard): string
}

/** A board's cards as a table. */
export default function BoardTable({ board, members, ...rest }: OtherViewProps) {
  const { update, save, move } = useCardActions(board.id)
  const change = useUndoableChange(update)
  const listing = useListing(board.groups, board.tags, members)
  const onChange = useCallback(
    (card: ListedCard, fields: Partial<Card>) => {
      const { group_id: groupId } = fields
      if (typeof groupId === 'number') move(board, card.id, { groupId, before: null })
      else change(card, fields)
    },
    [board, move, change],
  )
  const onRename = useCallback(({ id }: ListedCard, title: string) => save({ id, title }), [save])
  const { refusal, deleteRefusal } = useRefusals()
  const isFixed = refusal !== undefined
  const selection = useSelection()
  const table = useRef<Selectable>(undefined)
  const several = useSelectedCards({
    board,
    members,
    selection,
    refusal,
    deleteRefusal,
    selected: () => cardsOf(board, selectedIn(table, selection)),
    onLeave: () => leave(table, selection),
    onEnd: () => end(table, selection),
  })
  const onKey = useRef(several.onDeleteKey)
  onKey.current = several.onDeleteKey
  const selecting = useMemo(
    () => ({
      selection,
      table,
      onKey: (event: KeyboardEvent, cardId: number) => onKey.current(event, cardId),
    }),
    [selection],
  )
  const entries = ({ id }: Card) => [
    {
      label: selection.ids().has(id) ? t('Deselect') : t('Select'),
      icon: <SquareCheck />,
      hint: 'X',
      onSelect: () => toggle(selection, id),
    },
  ]
  return (
    <RowMenu
      board={board}
      members={members}
      openCardId={rest.openCardId}
      hrefOf={rest.hrefOf}
      {...(!isFixed && { several: { ...several, entries } })}
    >
      <CardTable
        {...rest}
        label={t('Cards of {board}', { board: board.title })}
        listing={listing}
        canMove
        onChange={isFixed ? undefined : onChange}
        onRename={isFixed ? undefined : onRename}
        selecting={isFixed ? undefined : selecting}
      />
      {several.elements}
    </RowMenu>
  )
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
