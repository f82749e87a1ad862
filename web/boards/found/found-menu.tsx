import { SquarePen, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import type { Member } from '../../projects/types.ts'
import { useCommands } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { rememberOpened } from '../../ui/returning.ts'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { CardMenu, focusedCard } from '../card/card-menu.tsx'
import type { FoundCard } from '../card/card-row.tsx'
import { useCardTools } from '../card/card-tools.tsx'
import { tuckAwayEntries } from '../card/tucking-away.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { useRefusals } from '../refusals.ts'
import type { Selecting } from '../selecting.ts'
import { useTableSelection } from '../several/table-selection.tsx'
import { fieldCommands } from '../table/card-commands.tsx'
import type { Tag } from '../types.ts'

interface Props {
  view: string
  shown: readonly FoundCard[]
  tags: readonly Tag[]
  members: readonly Member[]
  children(selecting: Selecting | undefined): ReactNode
}

const none: never[] = []

/** What lists of cards of several boards are in: cards have their menu, and the command menu has their actions. */
export function FoundMenu({ view, shown, tags, members, children }: Props) {
  const { base } = useProject()
  const [, navigate] = useLocation()
  const { refusal, deleteRefusal } = useRefusals()
  const selection = useTableSelection({ cards: shown, tags, members })
  const several = view === 'calendar' ? undefined : selection
  const own = useCardTools()
  const listing = useListing(none, tags, members)
  const { mutate: update, mutateAsync: save } = useWrite(`${area}/cards/update`, {
    failed: t('The card was not changed'),
  })
  const { mutate: restore } = useWrite(`${area}/cards/restore`, { failed: t('The card was not restored') })
  const { mutateAsync: remove } = useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') })
  const onChange = useUndoableChange(save)
  const cardOf = (id: number | undefined) => shown.find((card) => card.id === id)
  const entriesOf = (card: FoundCard): MenuEntry[] => {
    const { id, title, board_id } = card
    return [
      {
        label: t('Open card'),
        icon: <SquarePen />,
        onSelect() {
          rememberOpened(id)
          navigate(`${base}/boards/${board_id}/cards/${id}`, { state: { isFromList: true } })
        },
      },
      'line',
      ...own.entries(card, board_id, refusal),
      ...(several?.menu.entriesOf(id) ?? []),
      'line',
      ...tuckAwayEntries(card, { update, save }, refusal),
      'line',
      {
        label: t('Delete'),
        icon: <Trash2 />,
        isDanger: true,
        refusal: deleteRefusal(card),
        onSelect() {
          const deleted = () => showToast(t('Deleted “{title}”', { title }), () => restore({ id }))
          // A failure is already shown.
          void remove({ id }).then(deleted, () => {})
        },
      },
    ]
  }
  const menuOf = (id: number) => {
    const card = cardOf(id)
    if (!card) return undefined
    return several?.menu.ofSeveral(id) ?? { title: card.title, entries: entriesOf(card) }
  }
  useCommands(() => {
    const focused = focusedCard()
    const all = several?.menu.commands(focused)
    if (all) return [all]
    const card = cardOf(focused)
    if (!card) return []
    const fields = fieldCommands(card, { listing, refusal, onChange })
    return [{ section: card.title, entries: [...fields, ...entriesOf(card)] }]
  })
  return (
    <>
      <CardMenu menuOf={menuOf}>
        {children(several?.selecting)}
        {several?.elements}
      </CardMenu>
      {own.dialog}
    </>
  )
}
