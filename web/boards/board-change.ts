import type { QueryClient } from '@tanstack/react-query'
import { admin, area, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import { formatOf } from '../ui/plain-text.tsx'
import type { Arranged } from './types.ts'

/** A project's board or a master; both are edited in the same way, with different operations. */
export type BoardKind = 'project' | 'master'

export const operations = {
  project: { boards: `${area}/boards`, groups: `${area}/groups`, cards: `${area}/cards` },
  master: {
    boards: `${admin}/master-boards`,
    groups: `${admin}/master-groups`,
    cards: `${admin}/master-cards`,
  },
} as const

/** Changes the cached board before the service has answered. */
export function useBoardChange(boardId: number, kind: BoardKind) {
  const { id } = useProject()
  const path = `${operations[kind].boards}/get` as const
  return (cache: QueryClient, change: <Board extends Arranged>(board: Board) => Board) =>
    cache.setQueryData<Output<typeof path>>(keyOf(id, path, { id: boardId }), (read) =>
      read ? ({ board: change(read.board) } as typeof read) : read,
    )
}

/** The changed fields, as shown until the service has answered. */
export const asShown = <Fields extends object>(fields: Fields) =>
  'description' in fields
    ? { ...fields, description_format: formatOf(String(fields.description ?? '')) }
    : fields
