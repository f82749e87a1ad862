import { ArrowRightToLine, Copy, CopyPlus, Link2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { area } from '../../data/client.ts'
import { showFailure } from '../../data/failure.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import type { MenuEntry } from '../../ui/menu.tsx'
import { showProblem, showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { PlaceDialog } from '../place-dialog.tsx'
import type { Board, Card, Group } from '../types.ts'
import { isStillAt, useOwnStill } from '../undoing.ts'

/** A card of a board, or a found one, whose position is not known. */
type Placed = Pick<Card, 'id' | 'title' | 'group_id'> & { position?: number }

interface Asking {
  card: Placed
  boardId: number
  isCopy: boolean
}

/** A group, with its board if that is another one. */
export const placeName = (boardId: number, group: Group, there: Board): string =>
  there.id === boardId ? group.title : t('{group} on {board}', { group: group.title, board: there.title })

/** Where the browser does not allow it, such as on a page without https, the link is shown to be copied by hand. */
export async function copyLink(link: string) {
  try {
    await navigator.clipboard.writeText(link)
    showToast(t('Link copied'))
  } catch {
    showProblem(t('The link was not copied'), { detail: link })
  }
}

/** Duplicating, moving and copying a single card, and its link. `onLeave` is called when it has moved to another board. */
export function useCardTools(onLeave?: () => void) {
  const { base, client } = useProject()
  const isOwnStill = useOwnStill()
  const [, navigate] = useLocation()
  const { mutateAsync: duplicate } = useWrite(`${area}/cards/duplicate`, {
    failed: t('The card was not duplicated'),
  })
  const { mutateAsync: move } = useWrite(`${area}/cards/move`, { failed: t('The card was not moved') })
  const { mutate: remove } = useWrite(`${area}/cards/delete`, { failed: t('The card was not deleted') })
  const [asking, setAsking] = useState<Asking>()
  const hrefOf = (cardId: number, boardId: number) => `${base}/boards/${boardId}/cards/${cardId}`

  async function copy({ id, title }: Placed, boardId: number, group?: Group, there?: Board) {
    const { card: made } = await duplicate({ id, ...(group && { group_id: group.id }) })
    const undo = () => remove({ id: made.id })
    if (!group || !there || there.id === boardId) showToast(t('Duplicated “{title}”', { title }), undo)
    else
      showToast(t('Copied “{title}” to {group}', { title, group: placeName(boardId, group, there) }), undo, {
        show: () => navigate(hrefOf(made.id, there.id)),
      })
  }

  async function moveTo(card: Placed, boardId: number, group: Group, there: Board) {
    const { id, group_id } = card
    const position = card.position ?? (await positionOf(id))
    const { card: moved } = await move({ id, group_id: group.id })
    if (there.id !== boardId) onLeave?.()
    const undo = async () => {
      if (await isOwnStill(card, (now) => isStillAt(now, moved))) await move({ id, group_id, position })
    }
    showToast(t('Moved to {group}', { group: placeName(boardId, group, there) }), () => quietly(undo()))
  }

  /** Undo needs it. */
  async function positionOf(id: number): Promise<number> {
    const read = client.call(`${area}/cards/get`, { id })
    read.catch((error) => showFailure(t('The card was not moved'), error))
    return (await read).card.position
  }

  // A failure is already shown.
  const quietly = (done: Promise<unknown>) => void done.catch(() => {})

  const copying = (card: Placed, boardId: number, refusal: string | undefined): MenuEntry[] => [
    {
      label: t('Duplicate'),
      icon: <CopyPlus />,
      refusal,
      onSelect: () => quietly(copy(card, boardId)),
    },
    {
      label: t('Move to another board…'),
      icon: <ArrowRightToLine />,
      refusal,
      onSelect: () => setAsking({ card, boardId, isCopy: false }),
    },
    {
      label: t('Copy to another board…'),
      icon: <Copy />,
      refusal,
      onSelect: () => setAsking({ card, boardId, isCopy: true }),
    },
  ]
  const entries = (card: Placed, boardId: number, refusal: string | undefined): MenuEntry[] => [
    ...copying(card, boardId, refusal),
    {
      label: t('Copy link'),
      icon: <Link2 />,
      onSelect: () => void copyLink(window.location.origin + hrefOf(card.id, boardId)),
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
      boardId={asking.boardId}
      onChoose={(group, there) => {
        const { card, boardId, isCopy } = asking
        quietly(isCopy ? copy(card, boardId, group, there) : moveTo(card, boardId, group, there))
      }}
      onClose={() => setAsking(undefined)}
    />
  )
  return { copying, entries, dialog }
}
