import type { QueryClient } from '@tanstack/react-query'
import { area, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import type { Board, Card } from '../data/types.ts'
import { useWrite } from '../data/write.ts'
import { announce } from '../ui/announcer.tsx'
import { showToast } from '../ui/toast.tsx'
import {
  cardOf,
  groupOf,
  type Landing,
  positionAt,
  withCard,
  withCardMoved,
  withGroup,
  withGroupMoved,
  withoutCard,
} from './arrangement.ts'

/** Changes the board that is shown, before the service has answered. */
function useBoardChange(boardId: number) {
  const { id } = useProject()
  return (cache: QueryClient, change: (board: Board) => Board) =>
    cache.setQueryData<Output<`${typeof area}/boards/get`>>(
      keyOf(id, `${area}/boards/get`, { id: boardId }),
      (read) => (read ? { board: change(read.board) } : read),
    )
}

/** Everything that can be done to the cards of a board. */
export function useCardActions(boardId: number) {
  const { me } = useProject()
  const onBoard = useBoardChange(boardId)
  const moving = useWrite(`${area}/cards/move`, {
    failed: 'The card was not moved',
    change: (cache, { id, group_id, position }) =>
      onBoard(cache, (board) => withCardMoved(board, id, group_id as number, position as number)),
  })
  const updating = useWrite(`${area}/cards/update`, {
    failed: 'The card was not changed',
    change: (cache, { id, ...fields }) =>
      onBoard(cache, (board) => withCard(board, id, (card) => ({ ...card, ...(fields as Partial<Card>) }))),
  })
  const restoring = useWrite(`${area}/cards/restore`, { failed: 'The card was not restored' })
  const deleting = useWrite(`${area}/cards/delete`, {
    failed: 'The card was not deleted',
    change: (cache, { id }) => onBoard(cache, (board) => withoutCard(board, id)),
  })
  const creating = useWrite(`${area}/cards/create`, {
    failed: 'The card was not created',
    change: (cache, { title, group_id }) =>
      onBoard(cache, (board) =>
        withGroup(board, group_id as number, (group) => ({
          ...group,
          cards: [...group.cards, cardToBe(title, group.id, group.cards.length + 1, me.user.id)],
        })),
      ),
  })

  return {
    move(board: Board, cardId: number, landing: Landing) {
      const card = cardOf(board, cardId)
      const from = groupOf(board, cardId)
      const to = board.groups.find(({ id }) => id === landing.groupId)
      const position = positionAt(board, cardId, landing)
      if (!card || !from || !to || (from.id === to.id && card.position === position)) return
      moving.mutate({ id: cardId, group_id: to.id, position })
      const place = `position ${position} of ${to.cards.length + (from.id === to.id ? 0 : 1)} in ${to.title}`
      announce(`${card.title} is now at ${place}.`)
      const where = from.id === to.id ? `Moved within ${to.title}` : `Moved to ${to.title}`
      showToast(where, () => moving.mutate({ id: cardId, group_id: from.id, position: card.position }))
    },
    create: (groupId: number, title: string) => creating.mutate({ title, group_id: groupId }),
    update: updating.mutate,
    remove(card: Card) {
      deleting.mutate(
        { id: card.id },
        { onSuccess: () => showToast('Card deleted', () => restoring.mutate({ id: card.id })) },
      )
    },
  }
}

/** A card as it is shown until the service has made it. */
const cardToBe = (title: string, groupId: number, position: number, userId: number): Card => ({
  id: -Date.now(),
  project_id: null,
  platform_id: 0,
  master_card_id: null,
  group_id: groupId,
  owner_id: null,
  tag_id: null,
  created_by: userId,
  sort_order: position,
  position,
  is_master: false,
  is_active: true,
  is_overdue: false,
  unique_identifier: null,
  evaluation_check: null,
  tour_key: null,
  short_description: null,
  title,
  description: null,
  status: 'open',
  priority: 'normal',
  due_date: null,
  snoozed_until: null,
  created_at: new Date().toISOString(),
  updated_at: new Date().toISOString(),
  deleted_at: null,
})

/** Everything that can be done to the groups of a board, and to the board itself. */
export function useGroupActions(boardId: number) {
  const onBoard = useBoardChange(boardId)
  const updating = useWrite(`${area}/groups/update`, {
    failed: 'The group was not changed',
    change: (cache, { id, position, title, is_collapsed }) =>
      onBoard(cache, (board) => {
        const moved = typeof position === 'number' ? withGroupMoved(board, id, position) : board
        return withGroup(moved, id, (group) => ({
          ...group,
          title: title ?? group.title,
          is_collapsed: is_collapsed ?? group.is_collapsed,
        }))
      }),
  })
  const creating = useWrite(`${area}/groups/create`, { failed: 'The group was not created' })
  const restoring = useWrite(`${area}/groups/restore`, { failed: 'The group was not restored' })
  const deleting = useWrite(`${area}/groups/delete`, {
    failed: 'The group was not deleted',
    change: (cache, { id }) =>
      onBoard(cache, (board) => ({ ...board, groups: board.groups.filter((group) => group.id !== id) })),
  })
  const renaming = useWrite(`${area}/boards/update`, {
    failed: 'The board was not renamed',
    change: (cache, { title }) => onBoard(cache, (board) => ({ ...board, title: title ?? board.title })),
  })

  return {
    move(board: Board, groupId: number, position: number) {
      const group = board.groups.find(({ id }) => id === groupId)
      const place = Math.min(Math.max(position, 1), board.groups.length)
      if (!group || group.position === place) return
      updating.mutate({ id: groupId, position: place })
      announce(`The group ${group.title} is now at position ${place} of ${board.groups.length}.`)
      showToast(`Moved ${group.title}`, () => updating.mutate({ id: groupId, position: group.position }))
    },
    rename: (id: number, title: string) => updating.mutate({ id, title }),
    collapse: (id: number, isCollapsed: boolean) => updating.mutate({ id, is_collapsed: isCollapsed }),
    create: (title: string) => creating.mutate({ board_id: boardId, title }),
    remove(id: number, title: string) {
      deleting.mutate(
        { id },
        { onSuccess: () => showToast(`Deleted ${title} and its cards`, () => restoring.mutate({ id })) },
      )
    },
    renameBoard: (title: string) => renaming.mutate({ id: boardId, title }),
  }
}

export type CardActions = ReturnType<typeof useCardActions>
export type GroupActions = ReturnType<typeof useGroupActions>
