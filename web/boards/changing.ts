import { useCallback } from 'react'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { Card, ListedCard } from './types.ts'

type Update = (input: { id: number } & Partial<Card>) => void

/** Changes fields of a card in a list, with undo. */
export const useUndoableChange = (update: Update) =>
  useCallback(
    (card: ListedCard, fields: Partial<Card>) => {
      const { id, title } = card
      const before = Object.fromEntries(
        Object.keys(fields).map((name) => [name, card[name as keyof ListedCard]]),
      )
      update({ id, ...fields })
      showToast(t('Changed “{title}”', { title }), () => update({ id, ...before }), { topic: `change ${id}` })
    },
    [update],
  )
