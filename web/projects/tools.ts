import { t } from '../words/words.ts'

interface Listed {
  tool_key: string | null
  master_board_id: number | null
}

/** Groups boards: the project's own come first, then those of templates for all projects, then those of each product. */
export function byTool<Board extends Listed>(boards: readonly Board[]) {
  const own = boards.filter((board) => board.tool_key === null && board.master_board_id === null)
  const shared = boards.filter((board) => board.tool_key === null && board.master_board_id !== null)
  const tools = Map.groupBy(
    boards.filter((board) => board.tool_key !== null),
    (board) => board.tool_key ?? '',
  )
  const groups = [
    { tool: t('Your boards'), boards: own },
    { tool: t('From templates'), boards: shared },
    ...[...tools]
      .sort(([a], [b]) => a.localeCompare(b))
      .map(([key, boards]) => ({ tool: toolName(key), boards })),
  ]
  return groups.filter(({ boards }) => boards.length > 0)
}

export const toolName = (key: string): string =>
  key.charAt(0).toUpperCase() + key.slice(1).replaceAll(/[_-]/g, ' ')
