import { SquarePen, Trash2 } from 'lucide-react'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useLocation } from 'wouter'
import type { Member } from '../../projects/types.ts'
import { useCommands } from '../../ui/commands.ts'
import { type MenuEntry, MenuOf } from '../../ui/menu.tsx'
import { usePopover } from '../../ui/popover.tsx'
import { Sign } from '../../ui/sign.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import { cardOf } from '../arrangement.ts'
import { useCardActions } from '../card/card-actions.ts'
import { tuckAwayEntries } from '../card/tucking-away.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import type { Board, Card, ListedCard } from '../types.ts'
import { useCardTools } from './board-tools.tsx'
import { fieldCommands } from './card-commands.tsx'
import { useRefusals } from './refusals.ts'

interface Props {
  board: Board
  members: readonly Member[]
  openCardId: number | undefined
  hrefOf(card: ListedCard): string
  children: ReactNode
}

/** What a table or calendar of cards is in: right-clicking a card opens its menu, and the command menu has its actions. */
export function RowMenu({ board, members, openCardId, hrefOf, children }: Props) {
  const [, navigate] = useLocation()
  const actions = useCardActions(board.id)
  const { refusal, deleteRefusal } = useRefusals()
  const own = useCardTools(board)
  const listing = useListing(board.groups, board.tags, members)
  const onChange = useUndoableChange(actions.update)
  const menu = usePopover()
  const [chosen, setChosen] = useState<number>()
  const card = chosen === undefined ? undefined : cardOf(board, chosen)
  const entriesOf = (one: Card): MenuEntry[] => [
    { label: t('Open card'), icon: <SquarePen />, onSelect: () => navigate(hrefOf(one)) },
    { section: t('Move to') },
    ...board.groups
      .filter(({ id }) => id !== one.group_id)
      .map(({ id, title, icon, color }) => ({
        label: title,
        fullLabel: t('Move to {group}', { group: title }),
        icon: <Sign icon={icon} color={color} />,
        refusal,
        onSelect: () => actions.move(board, one.id, { groupId: id, before: null }),
      })),
    'line',
    ...own.entries(one, refusal),
    'line',
    ...tuckAwayEntries(one, actions, refusal),
    'line',
    {
      label: t('Delete'),
      icon: <Trash2 />,
      isDanger: true,
      refusal: deleteRefusal(one),
      onSelect: () => actions.remove(one),
    },
  ]
  useCommands(() => {
    const focused = linkAt(document.activeElement)?.dataset['cardId']
    const id = focused === undefined ? openCardId : Number(focused)
    const one = id === undefined ? undefined : cardOf(board, id)
    if (!one) return []
    const fields = fieldCommands(one, { listing, refusal, onChange })
    return [{ section: one.title, entries: [...fields, ...entriesOf(one)] }]
  })
  const onContextMenu = (event: MouseEvent) => {
    const link = linkAt(event.target)
    if (!link || refusal === viewOnly) return
    event.preventDefault()
    setChosen(Number(link.dataset['cardId']))
    // Where the focus returns to.
    menu.anchor.current = link as HTMLButtonElement
    const { clientX: x, clientY: y, buttons } = event
    const open = () => menu.open({ x, y })
    // Where the button is still down, its release would close the menu again.
    if (buttons === 0) open()
    else window.addEventListener('pointerup', () => setTimeout(open), { once: true })
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the cards in it take the focus, and the key for menus.
    <div className="row-menu" onContextMenu={onContextMenu}>
      {children}
      {card && (
        <MenuOf
          state={menu}
          label={t('Actions for {title}', { title: card.title })}
          entries={() => entriesOf(card)}
          trigger={() => null}
        />
      )}
      {own.dialog}
    </div>
  )
}

/** The link of the card whose row or entry an element is in. */
function linkAt(element: unknown): HTMLElement | undefined {
  const row = element instanceof Element ? element.closest('[role="row"], .card-calendar-chip') : null
  return row?.querySelector<HTMLElement>('[data-card-id]') ?? undefined
}
