import { ArrowRightToLine, Copy, CopyPlus, Link2, SquareCheck, SquarePen, Trash2, X } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import type { Member } from '../../projects/types.ts'
import { type CommandSection, useCommands } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Sign } from '../../ui/sign.tsx'
import { showToast } from '../../ui/toast.tsx'
import { counted, t } from '../../words/words.ts'
import { cardOf, groupOf } from '../arrangement.ts'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { PlaceDialog } from '../place-dialog.tsx'
import type { Board, Card, Group } from '../types.ts'
import { fieldCommands } from './card-commands.tsx'
import { useBoard } from './context.tsx'
import { lasso } from './lasso.ts'
import { cardMenuEntries, groupMenuEntries } from './menus.tsx'
import { onCardClick, onSelectionKey, orderOf, toggle } from './selecting.ts'
import { type Selection, useHasSelection } from './selection.ts'
import { SelectionBar } from './selection-bar.tsx'
import { cardsOf, refusalOfMany, useSeveral } from './several.ts'
import type { Tools } from './stage.ts'

interface Props {
  board: Board
  members: readonly Member[]
  selection: Selection
  tools: RefObject<Tools | undefined>
  /** Called once the tools can be used. */
  onReady(): void
}

/** What a board can do beyond single cards and groups; loaded after the board has been drawn. */
export default function BoardTools({ board, members, selection, tools, onReady }: Props) {
  const { stage, scroller, refusal } = useBoard()
  const several = useSeveral(board)
  const own = useCardTools(board)
  const [isMovingElsewhere, setMovingElsewhere] = useState(false)
  const hasSelection = useHasSelection(selection)
  const selected = () => {
    const order = orderOf(stage).filter((id) => selection.ids().has(id))
    return cardsOf(stage.now().board, order)
  }
  const isOneOfSeveral = (id: number) => selection.ids().has(id) && selection.ids().size > 1
  const remove = () => {
    const cards = selected()
    const refused = cards.map((card) => stage.now().deleteRefusal(card)).find((one) => one !== undefined)
    if (refused !== undefined) return void showToast(refused)
    leave(cards)
    several.remove(cards)
  }
  /** Ends the selection of cards that are about to leave the board; the focus goes to the place of the first one. */
  const leave = (cards: readonly Card[]) => {
    const [first] = cards
    const near = first && (stage.now().visible.get(first.group_id as number) ?? [])
    const place = near?.findIndex(({ id }) => id === first?.id) ?? 0
    const stays = ({ id }: Card) => !selection.ids().has(id)
    const next = near?.slice(place).find(stays) ?? near?.slice(0, place).findLast(stays)
    selection.set([])
    // Once the bar and the dialog are gone.
    requestAnimationFrame(() => {
      if (next) stage.focusCard(next.id)
      else if (first) focusGroup(stage.columns.get(first.group_id as number))
    })
  }
  const end = () => {
    const [first] = selected()
    selection.set([])
    if (first && stage.focusedId() === undefined) stage.focusCard(first.id)
  }
  const severalEntries = (): MenuEntry[] => {
    const cards = selected()
    const tooMany = refusalOfMany(cards)
    const deleteRefusal =
      tooMany ?? cards.map((card) => stage.now().deleteRefusal(card)).find((one) => one !== undefined)
    return [
      { section: t('Move to') },
      ...board.groups.map((group) => ({
        label: group.title,
        icon: <Sign icon={group.icon} color={group.color} />,
        refusal: refusal ?? tooMany,
        onSelect: () => several.move(cards, { groupId: group.id, before: null }, group.title),
      })),
      {
        label: t('Move to another board…'),
        icon: <ArrowRightToLine />,
        refusal: refusal ?? tooMany,
        onSelect: () => setMovingElsewhere(true),
      },
      'line',
      { label: t('End selection'), icon: <X />, onSelect: end },
      'line',
      {
        label: t('Delete'),
        icon: <Trash2 />,
        hint: t('Del'),
        isDanger: true,
        refusal: deleteRefusal,
        onSelect: remove,
      },
    ]
  }
  useEffect(() => {
    tools.current = {
      ofSeveral: (cardId) =>
        isOneOfSeveral(cardId) ? { title: countOf(selected()), entries: severalEntries() } : undefined,
      entries: (card) => [
        ...own.entries(card, refusal),
        {
          label: selection.ids().has(card.id) ? t('Deselect') : t('Select'),
          icon: <SquareCheck />,
          hint: 'X',
          onSelect: () => toggle(selection, card.id),
        },
        'line',
      ],
      async createMany(groupId, titles) {
        const cards = await several.create(groupId, titles)
        const { filter } = stage.now()
        if (filter && cards.some((card) => filter.hides(card)))
          showToast(t('Cards added but hidden by your filters'), undefined, { show: () => filter.clear() })
      },
      onClick: (event, cardId) => onCardClick(stage, selection, event, cardId),
      onKey(event, card) {
        if (event.key === 'Delete' && isOneOfSeveral(card.id)) {
          remove()
          return true
        }
        return onSelectionKey(stage, selection, event, card)
      },
      drop(cardId, landing) {
        const group = board.groups.find(({ id }) => id === landing.groupId)
        if (!group || !isOneOfSeveral(cardId)) return false
        several.move(selected(), landing, group.title)
        return true
      },
    }
  })
  useEffect(onReady, [onReady])
  useEffect(() => {
    if (scroller.current && refusal === undefined) return lasso(scroller.current, stage, selection)
    return undefined
  }, [scroller, stage, selection, refusal])
  useBoardCommands(board, members, own.openCardId, () => {
    const id = stage.focusedId()
    return selection.ids().size > 1 && (id === undefined || selection.ids().has(id))
      ? { section: countOf(selected()), entries: severalEntries() }
      : undefined
  })
  return (
    <>
      {hasSelection && (
        <SelectionBar
          board={board}
          members={members}
          selection={selection}
          several={several}
          cards={selected}
          onRemove={remove}
          onEnd={end}
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
            leave(cards)
            several.move(cards, { groupId: group.id, before: null }, placeName(board, group, there))
          }}
          onClose={() => setMovingElsewhere(false)}
        />
      )}
      {own.dialog}
    </>
  )
}

/** A group takes the focus only where none of its cards can. */
function focusGroup(column: HTMLElement | undefined) {
  if (!column) return
  column.tabIndex = -1
  column.focus()
}

const countOf = (cards: readonly Card[]): string =>
  counted(cards.length, { one: '{count} card', other: '{count} cards' })

/** A group, with its board if that is another one. */
const placeName = (board: Board, group: Group, there: Board): string =>
  there.id === board.id ? group.title : t('{group} on {board}', { group: group.title, board: there.title })

/** Duplicating, moving and copying a single card, and its link. */
export function useCardTools(board: Board) {
  const { base } = useProject()
  const [location, navigate] = useLocation()
  const { mutateAsync: duplicate } = useWrite(`${area}/cards/duplicate`, {
    failed: t('The card was not duplicated'),
  })
  const { mutateAsync: move } = useWrite(`${area}/cards/move`, { failed: t('The card was not moved') })
  const { mutate: remove } = useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') })
  const [asking, setAsking] = useState<{ card: Card; isCopy: boolean }>()
  const hrefOf = (cardId: number, boardId = board.id) => `${base}/boards/${boardId}/cards/${cardId}`

  async function copy(card: Card, group?: Group, there = board) {
    const { card: made } = await duplicate({ id: card.id, ...(group && { group_id: group.id }) })
    const undo = () => remove({ id: made.id })
    if (there.id === board.id) showToast(t('Duplicated “{title}”', { title: card.title }), undo)
    else
      showToast(
        t('Copied “{title}” to {group}', {
          title: card.title,
          group: group ? placeName(board, group, there) : '',
        }),
        undefined,
        {
          show: () => navigate(hrefOf(made.id, there.id)),
        },
      )
  }

  async function moveTo(card: Card, group: Group, there: Board) {
    const { group_id, position } = card
    await move({ id: card.id, group_id: group.id })
    showToast(
      t('Moved to {group}', { group: placeName(board, group, there) }),
      () => void move({ id: card.id, group_id, position }).catch(() => {}),
    )
  }

  // A failure is already shown.
  const quietly = (done: Promise<unknown>) => void done.catch(() => {})

  const entries = (card: Card, refusal: string | undefined): MenuEntry[] => [
    {
      label: t('Duplicate'),
      icon: <CopyPlus />,
      refusal,
      onSelect: () => quietly(copy(card)),
    },
    {
      label: t('Move to another board…'),
      icon: <ArrowRightToLine />,
      refusal,
      onSelect: () => setAsking({ card, isCopy: false }),
    },
    {
      label: t('Copy to another board…'),
      icon: <Copy />,
      refusal,
      onSelect: () => setAsking({ card, isCopy: true }),
    },
    {
      label: t('Copy link'),
      icon: <Link2 />,
      onSelect: () =>
        void navigator.clipboard
          .writeText(window.location.origin + hrefOf(card.id))
          .then(() => showToast(t('Link copied'))),
    },
  ]
  const dialog = asking && (
    <PlaceDialog
      title={
        asking.isCopy
          ? t('Copy “{title}”', { title: asking.card.title })
          : t('Move “{title}”', { title: asking.card.title })
      }
      action={asking.isCopy ? t('Copy') : t('Move')}
      boardId={board.id}
      onChoose={(group, there) =>
        quietly(asking.isCopy ? copy(asking.card, group, there) : moveTo(asking.card, group, there))
      }
      onClose={() => setAsking(undefined)}
    />
  )
  const [, open] = new RegExp(`^${base}/boards/${board.id}/cards/(\\d+)$`).exec(location) ?? []
  return { entries, dialog, openCardId: open === undefined ? undefined : Number(open) }
}

/** In the command menu: the actions of the selected cards, or of the focused or open card and of its group. */
function useBoardCommands(
  board: Board,
  members: readonly Member[],
  openCardId: number | undefined,
  ofSeveral: () => CommandSection | undefined,
) {
  const { stage, refusal } = useBoard()
  const listing = useListing(board.groups, board.tags, members)
  const onChange = useUndoableChange(stage.cards.update)
  useCommands(() => {
    const several = ofSeveral()
    if (several) return [several]
    const id = stage.focusedId() ?? openCardId
    const card = id === undefined ? undefined : cardOf(board, id)
    if (!card) return []
    const group = groupOf(board, card.id)
    const open: MenuEntry = {
      label: t('Open card'),
      icon: <SquarePen />,
      onSelect: () => stage.links.get(card.id)?.click(),
    }
    return [
      {
        section: card.title,
        entries: [
          ...(id === openCardId ? [] : [open]),
          ...fieldCommands(card, { listing, refusal, onChange }),
          ...cardMenuEntries(stage, card.id),
        ],
      },
      ...(group ? [{ section: group.title, entries: groupMenuEntries(stage, group.id) }] : []),
    ]
  })
}
