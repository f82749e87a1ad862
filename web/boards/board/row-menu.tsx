import { SquarePen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import type { Member } from '../../projects/types.ts'
import { useCommands } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { Sign } from '../../ui/sign.tsx'
import { t } from '../../words/words.ts'
import { cardOf } from '../arrangement.ts'
import { useCardActions } from '../card/card-actions.ts'
import { CardMenu, focusedCard } from '../card/card-menu.tsx'
import { useCardTools } from '../card/card-tools.tsx'
import { tuckAwayEntries } from '../card/tucking-away.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { useRefusals } from '../refusals.ts'
import type { SeveralMenu } from '../several/selected-cards.tsx'
import { fieldCommands } from '../table/card-commands.tsx'
import type { Board, Card, ListedCard } from '../types.ts'

interface Props {
  board: Board
  members: readonly Member[]
  openCardId: number | undefined
  hrefOf(card: ListedCard): string
  /** Set where several cards can be selected. */
  several?: SeveralMenu | undefined
  children: ReactNode
}

/** What the table or calendar of a board is in: cards have their menu, and the command menu has their actions. */
export function RowMenu({ board, members, openCardId, hrefOf, several, children }: Props) {
  const [, navigate] = useLocation()
  const actions = useCardActions(board.id)
  const { refusal, deleteRefusal } = useRefusals()
  const own = useCardTools()
  const listing = useListing(board.groups, board.tags, members)
  const onChange = useUndoableChange(actions.save)
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
    ...own.entries(one, board.id, refusal),
    ...(several?.entriesOf(one.id) ?? []),
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
  const menuOf = (id: number) => {
    const card = cardOf(board, id)
    if (!card) return undefined
    return several?.ofSeveral(id) ?? { title: card.title, entries: entriesOf(card) }
  }
  useCommands(() => {
    const focused = focusedCard()
    const all = several?.commands(focused)
    if (all) return [all]
    const id = focused ?? openCardId
    const one = id === undefined ? undefined : cardOf(board, id)
    if (!one) return []
    const fields = fieldCommands(one, { listing, refusal, onChange })
    return [{ section: one.title, entries: [...fields, ...entriesOf(one)] }]
  })
  return (
    <>
      <CardMenu menuOf={menuOf}>{children}</CardMenu>
      {own.dialog}
    </>
  )
}
