import { SquarePen, Trash2 } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { useLocation } from 'wouter'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { useRefusal } from '../../identity/permissions.ts'
import type { Member } from '../../projects/types.ts'
import { useCommands } from '../../ui/commands.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showToast } from '../../ui/toast.tsx'
import { viewOnly } from '../../ui/view-only.ts'
import { t } from '../../words/words.ts'
import { CardMenu, focusedCard } from '../card/card-menu.tsx'
import type { FoundCard } from '../card/card-row.tsx'
import { useCardTools } from '../card/card-tools.tsx'
import { rememberOpened } from '../card/returning.ts'
import { tuckAwayEntries } from '../card/tucking-away.tsx'
import { useUndoableChange } from '../changing.ts'
import { useListing } from '../listing.ts'
import { fieldCommands } from '../table/card-commands.tsx'
import type { Tag } from '../types.ts'

interface Props {
  shown: readonly FoundCard[]
  tags: readonly Tag[]
  members: readonly Member[]
  children: ReactNode
}

const none: never[] = []

/** What lists of cards of several boards are in: cards have their menu, and the command menu has their actions. */
export function FoundMenu({ shown, tags, members, children }: Props) {
  const { base, me } = useProject()
  const [, navigate] = useLocation()
  const refusal = useRefusal('work')
  const anyRefusal = useRefusal('delete any card')
  const own = useCardTools()
  const listing = useListing(none, tags, members)
  const { mutate: update, mutateAsync: save } = useWrite(`${area}/cards/update`, {
    failed: t('The card was not changed'),
  })
  const { mutate: restore } = useWrite(`${area}/cards/restore`, { failed: t('The card was not restored') })
  const { mutateAsync: remove } = useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') })
  const onChange = useUndoableChange(update)
  const cardOf = useCallback((id: number | undefined) => shown.find((card) => card.id === id), [shown])
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
      'line',
      ...tuckAwayEntries(card, { update, save }, refusal),
      'line',
      {
        label: t('Delete'),
        icon: <Trash2 />,
        isDanger: true,
        refusal: refusal ?? (card.created_by === me.user.id ? undefined : anyRefusal),
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
    return card && refusal !== viewOnly ? { title: card.title, entries: entriesOf(card) } : undefined
  }
  useCommands(() => {
    const card = cardOf(focusedCard())
    if (!card) return []
    const fields = fieldCommands(card, { listing, refusal, onChange })
    return [{ section: card.title, entries: [...fields, ...entriesOf(card)] }]
  })
  return (
    <>
      <CardMenu menuOf={menuOf}>{children}</CardMenu>
      {own.dialog}
    </>
  )
}
