import { SquarePen } from 'lucide-react'
import { type RefObject, useEffect } from 'react'
import { useLocation } from 'wouter'
import { useProject } from '../../data/project.tsx'
import type { Member } from '../../projects/types.ts'
import { type CommandSection, useCommands } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import { cardOf, groupOf } from '../arrangement.ts'
import { useCardTools } from '../card/card-tools.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { useRefusals } from '../refusals.ts'
import { onCardClick, onSelectionKey } from '../selecting.ts'
import type { Selection } from '../selection.ts'
import { useSelectedCards } from '../several/selected-cards.tsx'
import { fieldCommands } from '../table/card-commands.tsx'
import type { Board, Card } from '../types.ts'
import { useBoard } from './context.tsx'
import { DeletedGroups } from './deleted-groups.tsx'
import { lasso } from './lasso.ts'
import { cardMenuEntries, groupMenuEntries } from './menus.tsx'
import { selectableOf, selectedIn } from './selectable.ts'
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
  const { base } = useProject()
  const [location] = useLocation()
  const { stage, scroller, refusal } = useBoard()
  const own = useCardTools()
  const { deleteRefusal } = useRefusals()
  const [, open] = new RegExp(`^${base}/boards/${board.id}/cards/(\\d+)$`).exec(location) ?? []
  const openCardId = open === undefined ? undefined : Number(open)
  const openEntry = ({ id }: Card): MenuEntry => ({
    label: t('Open card'),
    icon: <SquarePen />,
    onSelect: () => stage.links.get(id)?.click(),
  })
  const selected = () => selectedIn(stage, selection)
  /** The focus goes to the place of the first one. */
  const leave = ([first]: readonly Pick<Card, 'id' | 'group_id'>[]) => {
    const near = first && (stage.now().visible.get(first.group_id as number) ?? [])
    const place = near?.findIndex(({ id }) => id === first?.id) ?? 0
    const stays = ({ id }: Pick<Card, 'id'>) => !selection.ids().has(id)
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
  const several = useSelectedCards({
    board,
    tags: board.tags,
    members,
    selection,
    selected,
    refusal,
    deleteRefusal,
    onLeave: leave,
    onEnd: end,
  })
  useEffect(() => {
    const selectable = selectableOf(stage)
    tools.current = {
      ofSeveral: several.menu.ofSeveral,
      entries: (card) => [
        ...(card.id === openCardId ? [] : [openEntry(card)]),
        ...own.entries(card, board.id, refusal),
        ...several.menu.entriesOf(card.id),
        'line',
      ],
      async createMany(groupId, titles) {
        const cards = await several.create(groupId, titles)
        const { filter } = stage.now()
        if (filter && cards.some((card) => filter.hides(card)))
          showToast(t('Cards added but hidden by your filters'), undefined, { show: () => filter.clear() })
      },
      onClick: (event, cardId) => onCardClick(selectable, selection, event, cardId),
      onKey: (event, card) =>
        refusal !== viewOnly &&
        (several.onDeleteKey(event, card.id) || onSelectionKey(selectable, selection, event, card.id)),
      drop(cardId, landing) {
        const group = board.groups.find(({ id }) => id === landing.groupId)
        if (!group || !several.isOneOfSeveral(cardId)) return false
        void several.move(selected(), landing, group.title)
        return true
      },
    }
  })
  useEffect(onReady, [onReady])
  useEffect(() => {
    if (scroller.current && refusal === undefined) return lasso(scroller.current, stage, selection)
    return undefined
  }, [scroller, stage, selection, refusal])
  useBoardCommands(board, members, openCardId, () => several.menu.commands(stage.focusedId()))
  return (
    <>
      {several.elements}
      {own.dialog}
      <DeletedGroups board={board} />
    </>
  )
}

/** A group takes the focus only where none of its cards can. */
function focusGroup(column: HTMLElement | undefined) {
  if (!column) return
  column.tabIndex = -1
  column.focus()
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
  const onChange = useUndoableChange(stage.cards.save)
  useCommands(() => {
    const several = ofSeveral()
    if (several) return [several]
    const id = stage.focusedId() ?? openCardId
    const card = id === undefined ? undefined : cardOf(board, id)
    if (!card) return []
    const group = groupOf(board, card.id)
    return [
      {
        section: card.title,
        entries: [...fieldCommands(card, { listing, refusal, onChange }), ...cardMenuEntries(stage, card.id)],
      },
      ...(group ? [{ section: group.title, entries: groupMenuEntries(stage, group.id) }] : []),
    ]
  })
}
