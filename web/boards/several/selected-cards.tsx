import { ArrowRightToLine, SquareCheck, Trash2, X } from 'lucide-react'
import { type KeyboardEvent, useState } from 'react'
import type { Member } from '../../projects/types.ts'
import type { CommandSection } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Sign } from '../../ui/sign.tsx'
import { showToast } from '../../ui/toast.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { counted, t } from '../../words/words.ts'
import { placeName } from '../card/card-tools.tsx'
import { useListing } from '../listing.ts'
import { PlaceDialog } from '../place-dialog.tsx'
import { toggle } from '../selecting.ts'
import { type Selection, useHasSelection } from '../selection.ts'
import { fieldCommands } from '../table/card-commands.tsx'
import type { Board, Group, Tag } from '../types.ts'
import { SelectionBar } from './selection-bar.tsx'
import { refusalOfMany, type Selected, type Shared, useSeveral } from './several.ts'

interface Props {
  /** Undefined if the cards are on several boards. */
  board: Board | undefined
  tags: readonly Tag[]
  members: readonly Member[]
  selection: Selection
  /** The selected cards that are shown, in their order. */
  selected(): Selected[]
  refusal: string | undefined
  deleteRefusal(card: Selected): string | undefined
  /** Ends the selection of cards that are about to leave, and moves the focus to one that stays. */
  onLeave(cards: readonly Selected[]): void
  /** Ends the selection. */
  onEnd(): void
}

/** What menus say about selecting. */
export interface SeveralMenu {
  /** Further entries of a single card. */
  entriesOf(cardId: number): MenuEntry[]
  /** The menu of all selected cards, if the card is one of several. */
  ofSeveral(cardId: number): { title: string; entries: MenuEntry[] } | undefined
  /** The same in the command menu, also if no card has the focus. */
  commands(focusedId: number | undefined): CommandSection | undefined
}

const noGroups: Group[] = []

/** What can be done with the selected cards of a board or a table: their menu, their bar and their keys. */
export function useSelectedCards(props: Props) {
  const { board, tags, members, selection, selected, refusal, deleteRefusal, onLeave, onEnd } = props
  const several = useSeveral(board)
  const listing = useListing(board?.groups ?? noGroups, tags, members)
  const [isMovingElsewhere, setMovingElsewhere] = useState(false)
  const hasSelection = useHasSelection(selection)
  const isOneOfSeveral = (id: number) => selection.ids().has(id) && selection.ids().size > 1
  const refusalToDelete = (cards: readonly Selected[]) =>
    refusalOfMany(cards) ?? cards.map(deleteRefusal).find((one) => one !== undefined)
  const remove = () => {
    const cards = selected()
    const refused = refusalToDelete(cards)
    if (refused !== undefined) return void showToast(refused)
    onLeave(cards)
    several.remove(cards)
  }
  const set = (cards: readonly Selected[], fields: Shared) => {
    if (fields.snoozed_until) onLeave(cards)
    several.set(cards, fields)
  }
  const moves = (cards: readonly Selected[]): MenuEntry[] => {
    const refused = refusal ?? refusalOfMany(cards)
    return [
      ...(board ? [{ section: t('Move to') }] : []),
      ...(board?.groups ?? []).map((group) => ({
        label: group.title,
        fullLabel: t('Move to {group}', { group: group.title }),
        icon: <Sign icon={group.icon} color={group.color} />,
        refusal: refused,
        onSelect: () => void several.move(cards, { groupId: group.id, before: null }, group.title),
      })),
      {
        label: board ? t('Move to another board…') : `${t('Move to')}…`,
        icon: <ArrowRightToLine />,
        refusal: refused,
        onSelect: () => setMovingElsewhere(true),
      },
      'line',
    ]
  }
  const entries = (): MenuEntry[] => {
    const cards = selected()
    return [
      ...moves(cards),
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
  const fields = (cards: readonly Selected[]): CommandSection['entries'] =>
    fieldCommands(standInOf(cards), {
      listing,
      refusal: refusal ?? refusalOfMany(cards),
      onChange: (_card, fields) => set(cards, fields as Shared),
    })
  const menu: SeveralMenu = {
    entriesOf: (cardId) => [
      {
        label: selection.ids().has(cardId) ? t('Deselect') : t('Select'),
        icon: <SquareCheck />,
        hint: 'X',
        refusal: refusal === viewOnly ? viewOnly : undefined,
        onSelect: () => toggle(selection, cardId),
      },
    ],
    ofSeveral(cardId) {
      if (!isOneOfSeveral(cardId)) return undefined
      const title = countOf(selected())
      return { title, entries: [{ section: title }, ...entries()] }
    },
    commands(focusedId) {
      const cards = selected()
      return cards.length > 1 && (focusedId === undefined || selection.ids().has(focusedId))
        ? { section: countOf(cards), entries: [...fields(cards), ...entries()] }
        : undefined
    },
  }
  const boardId = board?.id ?? 0
  const elements = (
    <>
      {hasSelection && (
        <SelectionBar
          board={board}
          tags={tags}
          members={members}
          selection={selection}
          several={{ ...several, set }}
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
          boardId={boardId}
          onChoose={(group, there) => {
            const cards = selected()
            if (board) onLeave(cards)
            const landing = { groupId: group.id, before: null }
            void several.move(cards, landing, placeName(boardId, group, there), there.id)
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
    menu,
    /** True if the key deletes all selected cards. */
    onDeleteKey({ key }: KeyboardEvent, cardId: number): boolean {
      if (key !== 'Delete' || !isOneOfSeveral(cardId)) return false
      remove()
      return true
    },
    elements,
  }
}

/** A card with the dates that some of them have, and with nothing that only one of them may keep. */
const standInOf = (cards: readonly Selected[]): Selected => ({
  ...(cards.find(({ due_date }) => due_date !== null) ?? (cards[0] as Selected)),
  snoozed_until: cards.find(({ snoozed_until }) => snoozed_until !== null)?.snoozed_until ?? null,
  status: 'open',
  tag_id: null,
})

const countOf = (cards: readonly Selected[]): string =>
  counted(cards.length, { one: '{count} card', other: '{count} cards' })
