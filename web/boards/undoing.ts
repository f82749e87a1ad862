import { useCallback } from 'react'
import { showFailure } from '../data/failure.ts'
import { useProject } from '../data/project.tsx'
import { showToast, undoTopic } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { type BoardKind, operations } from './board-change.ts'
import type { Card } from './types.ts'

/** Whether a card still has what a change has set, so that undo overwrites nothing newer; says so if not. */
export function useOwnStill(kind: BoardKind = 'project') {
  const { client } = useProject()
  return useCallback(
    async ({ id, title }: Pick<Card, 'id' | 'title'>, set: Partial<Card>): Promise<boolean> => {
      const read = client.call(`${operations[kind].cards}/get`, { id })
      read.catch((error) => showFailure(t('The change was not undone'), error))
      const now: Partial<Card> = (await read).card
      const isOwn = Object.entries(set).every(([name, value]) => now[name as keyof Card] === value)
      if (!isOwn)
        showToast(t('Not undone: “{title}” was changed again in the meantime', { title }), undefined, {
          topic: undoTopic,
        })
      return isOwn
    },
    [client, kind],
  )
}
