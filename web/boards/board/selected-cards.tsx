import { ArrowRightToLine, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Member } from '../../projects/types.ts'
import type { CommandSection } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Sign } from '../../ui/sign.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { placeName } from '../card/card-tools.tsx'
import { PlaceDialog } from '../place-dialog.tsx'
import { type Selection, useHasSelection } from '../selection.ts'
import type { Board, Card } from '../types.ts'
import { SelectionBar } from './selection-bar.tsx'
import { refusalOfMany, useSeveral } from './several.ts'

interface Props {
  board: Board
  members: readonly Member[]
  selection: Selection
  /** The selected cards that are shown, in their order. */
  selected(): Card[]
  refusal: string | undefined
  deleteRefusal(card: Card): string | undefined
  /** Ends the selection of cards that are about to leave, and moves the focus to one that stays. */
  onLeave(cards: readonly Card[]): void
  /** Ends the selection. */
  onEnd(): void
}

/** What can be done with the selected cards of a board, in columns or as a table: their menu, their bar and their keys. */
export function useSelectedCards(props: Props) {
  const { board, members, selection, selected, refusal, deleteRefusal, onLeave, onEnd } = props
  const several = useSeveral(board)
  const [isMovingElsewhere, setMovingElsewhere] = useState(false)
  const hasSelection = useHasSelection(selection)
  const isOneOfSeveral = (id: number) => selection.ids().has(id) && selection.ids().size > 1
  const refusalToDelete = (cards: readonly Card[]) =>
    refusalOfMany(cards) ?? cards.map(deleteRefusal).find((one) => one !== undefined)
  const remove = () => {
    const cards = selected()
    const refused = refusalToDelete(cards)
    if (refused !== undefined) return void showToast(refused)
    onLeave(cards)
    several.remove(cards)
  }
  const entries = (): MenuEntry[] => {
    const cards = selected()
    const refused = refusal ?? refusalOfMany(cards)
    return [
      { section: t('Move to') },
      ...board.groups.map((group) => ({
        label: group.title,
        icon: <Sign icon={group.icon} color={group.color} />,
        refusal: refused,
        onSelect: () => several.move(cards, { groupId: group.id, before: null }, group.title),
      })),
      {
        label: t('Move to another board…'),
        icon: <ArrowRightToLine />,
        refusal: refused,
        onSelect: () => setMovingElsewhere(true),
      },
      'line',
      { label: t('End selection'), icon: <X />, onSelect: onEnd },
      'line',
      {
        label: t('Delete'),
        icon: <Trash2 />,
        hint: t('Del'),
        isDanger: true,
        refusal: refusalToDelete(cards),
        onSelect: remove,
      },
    ]
  }
  const elements = (
    <>
      {hasSelection && (
        <SelectionBar
          board={board}
          members={members}
          selection={selection}
          several={several}
          cards={selected}
          refusal={refusal}
          refusalToDelete={refusalToDelete}
          onRemove={remove}
          onEnd={onEnd}
          onMoveElsewhere={() => setMovingElsewhere(true)}
        />
      )}
      {isMovingElsewhere && (
        <PlaceDialog
          title={counted(selected().length, { one: 'Move {count} card', other: 'Move {count} cards' })}
          action={t('Move')}
          boardId={board.id}
          onChoose={(group, there) => {
            const cards = selected()
            onLeave(cards)
            several.move(cards, { groupId: group.id, before: null }, placeName(board.id, group, there))
          }}
          onClose={() => setMovingElsewhere(false)}
        />
      )}
    </>
  )
  return {
    create: several.create,
    move: several.move,
    isOneOfSeveral,
    /** The menu of all selected cards, if the card is one of several. */
    ofSeveral: (cardId: number) =>
      isOneOfSeveral(cardId) ? { title: countOf(selected()), entries: entries() } : undefined,
    /** The same in the command menu, also if no card has the focus. */
    commands: (focusedId: number | undefined): CommandSection | undefined =>
      selection.ids().size > 1 && (focusedId === undefined || selection.ids().has(focusedId))
        ? { section: countOf(selected()), entries: entries() }
        : undefined,
    /** True if the key deletes all selected cards. */
    onDeleteKey({ key }: KeyboardEvent, cardId: number): boolean {
      if (key !== 'Delete' || !isOneOfSeveral(cardId)) return false
      remove()
      return true
    },
    elements,
  }
}

const countOf = (cards: readonly Card[]): string =>
  counted(cards.length, { one: '{count} card', other: '{count} cards' })
