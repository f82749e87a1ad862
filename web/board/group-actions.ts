import { useMemo } from 'react'
import { area } from '../data/client.ts'
import type { Board } from '../data/types.ts'
import { useWrite } from '../data/write.ts'
import { announce } from '../ui/announcer.tsx'
import { showToast } from '../ui/toast.tsx'
import { withGroup, withGroupMoved } from './arrangement.ts'
import { useBoardChange } from './board-change.ts'

/** Everything that can be done to the groups of a board, and to the board itself. */
export function useGroupActions(boardId: number) {
  const { updateGroup, createGroup, deleteGroup, updateBoard } = useGroupWrites(boardId)
  return useMemo(
    () => ({
      move(board: Board, groupId: number, position: number) {
        const group = board.groups.find(({ id }) => id === groupId)
        const place = Math.min(Math.max(position, 1), board.groups.length)
        if (!group || group.position === place) return
        updateGroup({ id: groupId, position: place })
        announce(`The group ${group.title} is now at position ${place} of ${board.groups.length}.`)
        showToast(`Moved ${group.title}`, () => updateGroup({ id: groupId, position: group.position }))
      },
      rename: (id: number, title: string) => updateGroup({ id, title }),
      collapse: (id: number, isCollapsed: boolean) => updateGroup({ id, is_collapsed: isCollapsed }),
      create: (title: string) => createGroup({ board_id: boardId, title }),
      remove: (id: number) => deleteGroup({ id }),
      renameBoard: (title: string) => updateBoard({ id: boardId, title }),
    }),
    [boardId, updateGroup, createGroup, deleteGroup, updateBoard],
  )
}

export type GroupActions = ReturnType<typeof useGroupActions>

function useGroupWrites(boardId: number) {
  const onBoard = useBoardChange(boardId)
  const { mutate: updateGroup } = useWrite(`${area}/groups/update`, {
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
  const { mutate: createGroup } = useWrite(`${area}/groups/create`, { failed: 'The group was not created' })
  const { mutate: restoreGroup } = useWrite(`${area}/groups/restore`, {
    failed: 'The group was not restored',
  })
  const { mutate: deleteGroup } = useWrite(`${area}/groups/delete`, {
    failed: 'The group was not deleted',
    change: (cache, { id }) =>
      onBoard(cache, (board) => ({ ...board, groups: board.groups.filter((group) => group.id !== id) })),
    done: ({ id }) => showToast('Group deleted with its cards', () => restoreGroup({ id })),
  })
  const { mutate: updateBoard } = useWrite(`${area}/boards/update`, {
    failed: 'The board was not renamed',
    change: (cache, { title }) => onBoard(cache, (board) => ({ ...board, title: title ?? board.title })),
  })
  return { updateGroup, createGroup, deleteGroup, updateBoard }
}
