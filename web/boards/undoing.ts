import { useCallback } from 'react'
import { showFailure } from '../data/failure.ts'
import { useProject } from '../data/project.tsx'
import { showToast, undoTopic } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { type BoardKind, operations } from './board-change.ts'
import type { Card } from './types.ts'

type Position = Pick<Card, 'group_id' | 'position' | 'updated_at'>

/** Whether a card is where a move has put it. Cards that move around it change its position, but not the time of its last change. */
export const isStillAt = (now: Partial<Position>, then: Position): boolean =>
  now.group_id === then.group_id && (now.position === then.position || now.updated_at === then.updated_at)

/** Whether a card still has what a change has set, so that undo overwrites nothing newer; says so if not. */
export function useOwnStill(kind: BoardKind = 'project') {
  const { client } = useProject()
  return useCallback(
    async (
      { id, title }: Pick<Card, 'id' | 'title'>,
      isUnchanged: (now: Partial<Card>) => boolean,
    ): Promise<boolean> => {
      const read = client.call(`${operations[kind].cards}/get`, { id })
      read.catch((error) => showFailure(t('The change was not undone'), error))
      const isOwn = isUnchanged((await read).card)
      if (!isOwn)
        showToast(t('Not undone: “{title}” was changed again in the meantime', { title }), undefined, {
          topic: undoTopic,
        })
      return isOwn
    },
    [client, kind],
  )
}
