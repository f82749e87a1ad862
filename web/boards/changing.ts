import { useCallback } from 'react'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { Card, ListedCard } from './types.ts'

/** Rejects if the service refuses. */
export type Save = (input: { id: number } & Partial<Card>) => Promise<unknown>

/** Changes fields of a card and says so, with undo; a change that the service refuses was none. */
export function changeUndoably(save: Save, card: ListedCard, fields: Partial<Card>, said: string) {
  const { id } = card
  const before = Object.fromEntries(Object.keys(fields).map((name) => [name, card[name as keyof ListedCard]]))
  const saved = save({ id, ...fields })
  // A failure is already shown.
  const undo = () => void saved.then(() => save({ id, ...before })).catch(() => {})
  saved.catch(showToast(said, undo, { topic: `change ${id}` }))
}

/** Changes fields of a card in a list or a panel. */
export const useUndoableChange = (save: Save) =>
  useCallback(
    (card: ListedCard, fields: Partial<Card>, said = t('Changed “{title}”', { title: card.title })) =>
      changeUndoably(save, card, fields, said),
    [save],
  )

/** Gives a card another title, with undo; rejects if the service refuses. */
export const useRename = (save: Save) =>
  useCallback(
    async ({ id, title: before }: Pick<Card, 'id' | 'title'>, title: string) => {
      await save({ id, title })
      // A failure is already shown.
      const undo = () => void save({ id, title: before }).catch(() => {})
      showToast(t('Renamed to “{title}”', { title }), undo, { topic: `change ${id}` })
    },
    [save],
  )
