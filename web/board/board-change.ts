import type { QueryClient } from '@tanstack/react-query'
import { area, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import type { Board } from '../data/types.ts'

/** Changes the board that is shown, before the service has answered. */
export function useBoardChange(boardId: number) {
  const { id } = useProject()
  return (cache: QueryClient, change: (board: Board) => Board) =>
    cache.setQueryData<Output<`${typeof area}/boards/get`>>(
      keyOf(id, `${area}/boards/get`, { id: boardId }),
      (read) => (read ? { board: change(read.board) } : read),
    )
}
