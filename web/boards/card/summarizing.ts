import { useCallback } from 'react'
import { t } from '../../words/words.ts'
import { type Save, useUndoableChange } from '../changing.ts'
import type { Card } from '../types.ts'

/** Gives a card another short description, with undo if it replaces a newer one of someone else. */
export function useSummarize(save: Save) {
  const change = useUndoableChange(save)
  return useCallback(
    (card: Card, short_description: string | null, begun: string = card.short_description ?? '') =>
      begun === (card.short_description ?? '')
        ? save({ id: card.id, short_description })
        : change(
            card,
            { short_description },
            t('Short description changed. Someone else had just changed it too.'),
          ),
    [save, change],
  )
}
