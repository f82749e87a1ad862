import { useMemo } from 'react'
import { newCardFields } from '#boards/card/new-card.ts'
import { useProject } from '../../data/project.tsx'
import { useWrite } from '../../data/write.ts'
import { announce } from '../../ui/announcer.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import {
  cardOf,
  groupOf,
  type Landing,
  positionAt,
  withCard,
  withCardMoved,
  withGroup,
  withoutCard,
} from '../arrangement.ts'
import { asShown, type BoardKind, operations, useBoardChange } from '../board-change.ts'
import type { Arranged, Card } from '../types.ts'
import { isStillAt, useOwnStill } from '../undoing.ts'

/** The actions on a board's cards. */
export function useCardActions(boardId: number, kind: BoardKind = 'project') {
  const { moveCard, updateCard, saveCard, deleteCard, restoreCard, createCard } = useCardWrites(boardId, kind)
  const isOwnStill = useOwnStill(kind)
  return useMemo(
    () => ({
      move(board: Arranged, cardId: number, landing: Landing) {
        const card = cardOf(board, cardId)
        const from = groupOf(board, cardId)
        const to = board.groups.find(({ id }) => id === landing.groupId)
        const position = positionAt(board, cardId, landing)
        if (!card || !from || !to || (from.id === to.id && card.position === position)) return
        const moved = moveCard({ id: cardId, group_id: to.id, position })
        const count = to.cards.length + (from.id === to.id ? 0 : 1)
        announce(
          t('{card} is now at position {position} of {count} in {group}.', {
            card: card.title,
            position,
            count,
            group: to.title,
          }),
        )
        const undo = async () => {
          const { card: there } = await moved
          if (!(await isOwnStill(card, (now) => isStillAt(now, there)))) return
          const { card: back } = await moveCard({ id: cardId, group_id: from.id, position: card.position })
          announce(t('{card} is back where it was.', { card: card.title }))
          // A group of type done closes a card that was reopened there.
          if (there.status === card.status && back.status !== card.status)
            updateCard({ id: cardId, status: card.status })
        }
        const withdraw = showToast(
          from.id === to.id
            ? t('Moved within {group}', { group: to.title })
            : t('Moved to {group}', { group: to.title }),
          // A failure is already shown.
          () => void undo().catch(() => {}),
          { topic: 'move' },
        )
        moved.catch(withdraw)
      },
      /** Rejects if the service refuses, so that the caller can keep the text. */
      create: (groupId: number, title: string) => createCard({ title, group_id: groupId }),
      update: updateCard,
      /** As `update`, but rejects if the service refuses. */
      save: saveCard,
      remove({ id, title }: Card) {
        const deleted = deleteCard({ id })
        const restore = () =>
          void deleted.then(
            () => restoreCard({ id }),
            () => {},
          )
        // A failure is already shown.
        deleted.catch(showToast(t('Deleted “{title}”', { title }), restore))
      },
    }),
    [isOwnStill, moveCard, updateCard, saveCard, deleteCard, restoreCard, createCard],
  )
}

export type CardActions = ReturnType<typeof useCardActions>

function useCardWrites(boardId: number, kind: BoardKind) {
  const { me } = useProject()
  const { cards } = operations[kind]
  const onBoard = useBoardChange(boardId, kind)
  const { mutateAsync: moveCard } = useWrite(`${cards}/move`, {
    failed: t('The card was not moved'),
    change: (cache, { id, group_id, position }) =>
      onBoard(cache, (board) => withCardMoved(board, id, group_id as number, position as number)),
  })
  const { mutate: updateCard, mutateAsync: saveCard } = useWrite(`${cards}/update`, {
    failed: t('The card was not changed'),
    change: (cache, { id, ...fields }) =>
      onBoard(cache, (board) =>
        withCard(board, id, (card) => ({ ...card, ...(asShown(fields) as Partial<Card>) })),
      ),
  })
  const { mutate: restoreCard } = useWrite(`${cards}/restore`, { failed: t('The card was not restored') })
  const { mutateAsync: deleteCard } = useWrite(`${cards}/delete`, {
    failed: t('The card was not deleted'),
    change: (cache, { id }) => onBoard(cache, (board) => withoutCard(board, id)),
  })
  const { mutateAsync: createCard } = useWrite(`${cards}/create`, {
    failed: t('The card was not created'),
    isInOrder: true,
    change: (cache, { title, group_id }) =>
      onBoard(cache, (board) =>
        withGroup(board, group_id as number, (group) => ({
          ...group,
          cards: [...group.cards, cardToBe(title, group.id, group.cards.length + 1, me.user.id)],
        })),
      ),
  })
  return { moveCard, updateCard, saveCard, deleteCard, restoreCard, createCard }
}

/** A new card, as shown until the service has created it. */
const cardToBe = (title: string, groupId: number, position: number, userId: number): Card => ({
  ...newCardFields,
  id: -Date.now(),
  project_id: null,
  platform_id: 0,
  group_id: groupId,
  owner_id: null,
  tag_id: null,
  created_by: userId,
  sort_order: position,
  position,
  is_overdue: false,
  title,
  description: null,
  description_format: 'text',
  due_date: null,
  due_is_date: false,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
})
