import { useMemo } from 'react'
import { area } from '../../data/client.ts'
import { useProject } from '../../data/project.tsx'
import { keyOf } from '../../data/read.ts'
import { useWrite } from '../../data/write.ts'
import { announce } from '../../ui/announcer.tsx'
import { hues } from '../../ui/hues.ts'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import { withGroup, withGroupMoved, withoutGroup } from '../arrangement.ts'
import { asShown, type BoardKind, operations, useBoardChange } from '../board-change.ts'
import type { Arranged, Group, Personal } from '../types.ts'

const personalPath = `${area}/boards/get-personal` as const

export interface GroupActions extends ReturnType<typeof useArranging> {
  remove(group: Group): void
  /** Only projects archive groups. */
  archive?(group: Group): void
  /** Templates have no other order than their own. */
  restoreOrder?(group: Group): void
  openSettings(id: number): void
}

/** The actions on the groups of a project's board. */
export function useGroupActions(boardId: number) {
  const { id: projectId } = useProject()
  const arranging = useArranging(boardId, 'project')
  const onBoard = useBoardChange(boardId, 'project')
  const { mutate: archiveGroup } = useWrite(`${area}/groups/archive`, {
    failed: t('The group was not archived'),
    change: (cache, { id }) => onBoard(cache, (board) => withoutGroup(board, id)),
    done: (_input, { group: { id, title } }) =>
      showToast(t('Archived “{title}”', { title }), () => unarchiveGroup({ id })),
  })
  const { mutate: unarchiveGroup } = useWrite(`${area}/groups/unarchive`, {
    failed: t('The group was not restored'),
  })
  const { mutate: restoreGroup } = useWrite(`${area}/groups/restore`, {
    failed: t('The group was not restored'),
  })
  const { mutateAsync: writeOrder } = useWrite(`${area}/groups/restore-order`, {
    failed: t('The order was not restored'),
    change: (cache, { id, card_ids: ids }) =>
      onBoard(cache, (board) => (ids ? withGroup(board, id, (group) => inOrder(group, ids)) : board)),
  })
  const { mutate: collapseGroup } = useWrite(`${area}/groups/collapse`, {
    failed: t('The group was not changed'),
    isAside: true,
    refreshes: [personalPath],
    change: (cache, { id, is_collapsed }) =>
      cache.setQueryData<Personal>(
        keyOf(projectId, personalPath, { board_id: boardId }),
        (own) =>
          own && {
            ...own,
            groups: [...own.groups.filter(({ group_id }) => group_id !== id), { group_id: id, is_collapsed }],
          },
      ),
  })
  const deleteGroup = useGroupDeletion(boardId, 'project', (id) =>
    showToast(t('Group deleted with its cards'), () => restoreGroup({ id })),
  )
  return useMemo(
    () => ({
      ...arranging,
      collapse: (id: number, isCollapsed: boolean) => collapseGroup({ id, is_collapsed: isCollapsed }),
      archive: ({ id }: Group) => archiveGroup({ id }),
      remove: ({ id }: Group) => deleteGroup({ id }),
      restoreOrder: ({ id, title }: Group) =>
        // A refusal is already shown.
        void writeOrder({ id }).then(
          ({ previous_card_ids: before }) =>
            showToast(t('Restored the order of {title}', { title }), () =>
              writeOrder({ id, card_ids: before }).catch(() => {}),
            ),
          () => {},
        ),
    }),
    [arranging, collapseGroup, archiveGroup, deleteGroup, writeOrder],
  )
}

function inOrder(group: Group, ids: readonly number[]): Group {
  const places = new Map(ids.map((id, place) => [id, place + 1]))
  const cards = group.cards.map((card) => ({ ...card, position: places.get(card.id) ?? card.position }))
  return { ...group, cards: cards.sort((a, b) => a.position - b.position) }
}

/** The first of eight hues that the fewest groups have. */
function nextHue(used: readonly (string | null)[]): string {
  const usesOf = (hue: string) => used.filter((color) => color === hue).length
  return hues.toSorted((a, b) => usesOf(a) - usesOf(b))[0] as string
}

/** The actions on the groups of any board or template, and on the board itself. */
export function useArranging(boardId: number, kind: BoardKind) {
  const { reorderGroups, updateGroup, saveGroup, createGroup, updateBoard, saveBoard } = useArrangingWrites(
    boardId,
    kind,
  )
  return useMemo(() => {
    const place = (id: number, position: number) =>
      reorderGroups({ board_id: boardId, groups: [{ id, position }] })
    return {
      move(board: Arranged, groupId: number, position: number) {
        const group = board.groups.find(({ id }) => id === groupId)
        const to = Math.min(Math.max(position, 1), board.groups.length)
        if (!group || group.position === to) return
        const moved = place(groupId, to)
        announce(
          t('The group {title} is now at position {position} of {count}.', {
            title: group.title,
            position: to,
            count: board.groups.length,
          }),
        )
        const withdraw = showToast(
          t('Moved {title}', { title: group.title }),
          // A refusal is already shown.
          () =>
            place(groupId, group.position).then(
              () => announce(t('The group is back where it was.')),
              () => {},
            ),
          { topic: 'move' },
        )
        moved.catch(withdraw)
      },
      /** Rejects if the service refuses, so that the caller can keep the text. */
      rename: (id: number, title: string) => saveGroup({ id, title }),
      update: updateGroup,
      /** As `update`, but rejects if the service refuses. */
      save: saveGroup,
      collapse: (id: number, isCollapsed: boolean) => updateGroup({ id, is_collapsed: isCollapsed }),
      /** Creates groups one after the other to keep their order; rejects if the service refuses one. */
      async create({ groups }: Arranged, ...titles: string[]) {
        const used = groups.map(({ color }) => color)
        for (const title of titles) {
          const color = nextHue(used)
          used.push(color)
          await createGroup({ board_id: boardId, title, color })
        }
      },
      updateBoard,
      /** As `updateBoard`, but rejects if the service refuses. */
      saveBoard,
    }
  }, [boardId, reorderGroups, updateGroup, saveGroup, createGroup, updateBoard, saveBoard])
}

function useArrangingWrites(boardId: number, kind: BoardKind) {
  const { boards, groups } = operations[kind]
  const onBoard = useBoardChange(boardId, kind)
  const { mutateAsync: reorderGroups } = useWrite(`${groups}/reorder`, {
    failed: t('The group was not moved'),
    change: (cache, { groups: [moved] }) =>
      onBoard(cache, (board) => (moved ? withGroupMoved(board, moved.id, moved.position) : board)),
  })
  const { mutate: updateGroup, mutateAsync: saveGroup } = useWrite(`${groups}/update`, {
    failed: t('The group was not changed'),
    change: (cache, { id, ...fields }) =>
      onBoard(cache, (board) =>
        withGroup(board, id, (group) => ({ ...group, ...(asShown(fields) as Partial<Group>) })),
      ),
  })
  const { mutateAsync: createGroup } = useWrite(`${groups}/create`, {
    failed: t('The group was not created'),
  })
  const { mutate: updateBoard, mutateAsync: saveBoard } = useWrite(`${boards}/update`, {
    failed: t('The board was not changed'),
    change: (cache, { id: _, ...fields }) => onBoard(cache, (board) => ({ ...board, ...asShown(fields) })),
  })
  return { reorderGroups, updateGroup, saveGroup, createGroup, updateBoard, saveBoard }
}

/** Deletes groups of a board, with their cards. */
export function useGroupDeletion(boardId: number, kind: BoardKind, done?: (groupId: number) => void) {
  const onBoard = useBoardChange(boardId, kind)
  const { mutate } = useWrite(`${operations[kind].groups}/delete`, {
    failed: t('The group was not deleted'),
    change: (cache, { id }) => onBoard(cache, (board) => withoutGroup(board, id)),
    done: ({ id }) => done?.(id),
  })
  return mutate
}
