import { useCallback } from 'react'
import { replacedWords } from '../drafts/replacing.ts'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { Card } from './types.ts'
import { useOwnStill } from './undoing.ts'

/** Rejects if the service refuses. */
export type Save = (input: { id: number } & Partial<Card>) => Promise<{ card: Partial<Card> }>

/** A card before a change, with every field that is changed. */
type Before = Pick<Card, 'id' | 'title'> & Partial<Card>

/**
 * Changes fields of a card in a list or a panel, and says so with undo at once; a change that the service refuses is taken back.
 * Returns what was saved. A failure is already shown, so nobody has to wait for it.
 */
export function useUndoableChange(save: Save) {
  const changeBack = useChangeBack(save)
  return useCallback(
    (card: Before, fields: Partial<Card>, said = t('Changed “{title}”', { title: card.title })) => {
      const { id } = card
      const saved = save({ id, ...fields })
      const undo = async () => changeBack(card, (await saved).card, Object.keys(fields) as (keyof Card)[])
      saved.catch(showToast(said, () => void undo().catch(() => {}), { topic: `change ${id}` }))
      return saved
    },
    [save, changeBack],
  )
}

/** Gives a card another title, with undo; rejects if the service refuses. `begun` is the title when typing began. */
export function useRename(save: Save) {
  const change = useUndoableChange(save)
  return useCallback(
    async (card: Pick<Card, 'id' | 'title'>, title: string, begun: string = card.title) => {
      const said =
        begun === card.title ? t('Renamed to “{title}”', { title }) : replacedWords(title, card.title)
      await change(card, { title }, said)
    },
    [change],
  )
}

/** Gives fields of a card their values back, unless someone has changed them again since. */
function useChangeBack(save: Save) {
  const isOwnStill = useOwnStill()
  return useCallback(
    async (before: Before, set: Partial<Card>, names: readonly (keyof Card)[]) => {
      const isUnchanged = (now: Partial<Card>) => names.every((name) => now[name] === set[name])
      if (await isOwnStill(before, isUnchanged))
        await save({ id: before.id, ...Object.fromEntries(names.map((name) => [name, before[name]])) })
    },
    [isOwnStill, save],
  )
}
