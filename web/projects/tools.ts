import { t } from '../words/words.ts'

/** Groups boards by product; boards without a product come first. */
export function byTool<Board extends { tool_key: string | null }>(boards: readonly Board[]) {
  const tools = new Map<string, Board[]>()
  for (const board of boards) {
    const tool = board.tool_key === null ? '' : board.tool_key
    tools.set(tool, [...(tools.get(tool) ?? []), board])
  }
  return [...tools]
    .sort(([a], [b]) => (a === '' ? -1 : b === '' ? 1 : a.localeCompare(b)))
    .map(([key, boards]) => ({ tool: key === '' ? t('Your boards') : toolName(key), boards }))
}

export const toolName = (key: string): string =>
  key.charAt(0).toUpperCase() + key.slice(1).replaceAll(/[_-]/g, ' ')
