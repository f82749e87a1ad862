import type { QueryClient } from '@tanstack/react-query'
import { admin, area, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import type { Arranged, Card, Group } from '../data/types.ts'
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

/** A project's board, or a master: both are changed in the same ways, by operations of their own. */
export type BoardKind = 'project' | 'master'

const operations = {
  project: { boards: `${area}/boards`, groups: `${area}/groups`, cards: `${area}/cards` },
  master: {
    boards: `${admin}/master-boards`,
    groups: `${admin}/master-groups`,
    cards: `${admin}/master-cards`,
  },
} as const

/** Changes the board that is shown, before the service has answered. */
function useBoardChange(boardId: number, kind: BoardKind) {
  const { id } = useProject()
  const path = `${operations[kind].boards}/get` as const
  return (cache: QueryClient, change: <Board extends Arranged>(board: Board) => Board) =>
    cache.setQueryData<Output<typeof path>>(keyOf(id, path, { id: boardId }), (read) =>
      read ? ({ board: change(read.board) } as typeof read) : read,
    )
}

/** Everything that can be done to the cards of a board. */
export function useCardActions(boardId: number, kind: BoardKind = 'project') {
  const { me } = useProject()
  const { cards } = operations[kind]
  const onBoard = useBoardChange(boardId, kind)
  const moving = useWrite(`${cards}/move`, {
    failed: 'The card was not moved',
    change: (cache, { id, group_id, position }) =>
      onBoard(cache, (board) => withCardMoved(board, id, group_id as number, position as number)),
  })
  const updating = useWrite(`${cards}/update`, {
    failed: 'The card was not changed',
    change: (cache, { id, ...fields }) =>
      onBoard(cache, (board) => withCard(board, id, (card) => ({ ...card, ...(fields as Partial<Card>) }))),
  })
  const restoring = useWrite(`${cards}/restore`, { failed: 'The card was not restored' })
  const deleting = useWrite(`${cards}/delete`, {
    failed: 'The card was not deleted',
    change: (cache, { id }) => onBoard(cache, (board) => withoutCard(board, id)),
  })
  const creating = useWrite(`${cards}/create`, {
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
    move(board: Arranged, cardId: number, landing: Landing) {
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

/** What can be done to the groups of any board, and to the board itself. */
export function useArranging(boardId: number, kind: BoardKind) {
  const { boards, groups } = operations[kind]
  const onBoard = useBoardChange(boardId, kind)
  const reordering = useWrite(`${groups}/reorder`, {
    failed: 'The group was not moved',
    change: (cache, { groups: [moved] }) =>
      onBoard(cache, (board) => (moved ? withGroupMoved(board, moved.id, moved.position) : board)),
  })
  const renaming = useWrite(`${groups}/update`, {
    failed: 'The group was not renamed',
    change: (cache, { id, title }) =>
      onBoard(cache, (board) => withGroup(board, id, (group) => ({ ...group, title: title ?? group.title }))),
  })
  const creating = useWrite(`${groups}/create`, { failed: 'The group was not created' })
  const deleting = useWrite(`${groups}/delete`, {
    failed: 'The group was not deleted',
    change: (cache, { id }) =>
      onBoard(cache, (board) => ({ ...board, groups: board.groups.filter((group) => group.id !== id) })),
  })
  const updating = useWrite(`${boards}/update`, {
    failed: 'The board was not changed',
    change: (cache, { id: _, ...fields }) => onBoard(cache, (board) => ({ ...board, ...fields })),
  })
  const place = (id: number, position: number) =>
    reordering.mutate({ board_id: boardId, groups: [{ id, position }] })

  return {
    move(board: Arranged, groupId: number, position: number) {
      const group = board.groups.find(({ id }) => id === groupId)
      const to = Math.min(Math.max(position, 1), board.groups.length)
      if (!group || group.position === to) return
      place(groupId, to)
      announce(`The group ${group.title} is now at position ${to} of ${board.groups.length}.`)
      showToast(`Moved ${group.title}`, () => place(groupId, group.position))
    },
    rename: (id: number, title: string) => renaming.mutate({ id, title }),
    create: (title: string) => creating.mutate({ board_id: boardId, title }),
    deleting,
    updateBoard: updating.mutate,
  }
}

/** Everything that can be done to the groups of a project's board. */
export function useGroupActions(boardId: number): GroupActions {
  const { deleting, ...actions } = useArranging(boardId, 'project')
  const onBoard = useBoardChange(boardId, 'project')
  const collapsing = useWrite(`${area}/groups/update`, {
    failed: 'The group was not folded',
    change: (cache, { id, is_collapsed }) =>
      onBoard(cache, (board) =>
        withGroup(board, id, (group) => ({ ...group, is_collapsed: is_collapsed ?? group.is_collapsed })),
      ),
  })
  const restoring = useWrite(`${area}/groups/restore`, { failed: 'The group was not restored' })
  return {
    ...actions,
    collapse: (id, isCollapsed) => collapsing.mutate({ id, is_collapsed: isCollapsed }),
    remove({ id, title }) {
      deleting.mutate(
        { id },
        { onSuccess: () => showToast(`Deleted ${title} and its cards`, () => restoring.mutate({ id })) },
      )
    },
  }
}

export type CardActions = ReturnType<typeof useCardActions>
export type GroupActions = Omit<ReturnType<typeof useArranging>, 'deleting'> & {
  remove(group: Group): void
  /** A master has no folded groups: how a board is looked at belongs to its project. */
  collapse?(id: number, isCollapsed: boolean): void
}
