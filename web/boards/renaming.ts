import { useMemo, useRef } from 'react'
import { area } from '../data/client.ts'
import { failureOf, isPassing } from '../data/failure.ts'
import { useProject } from '../data/project.tsx'
import { showProblem } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import type { ListedCard } from './types.ts'

/** Rejects if the service refuses. */
type Rename = (card: ListedCard, title: string, begun?: string) => Promise<unknown>

/** A title for a card that was deleted while it was typed is shown, and kept as a draft in case the card is restored. */
export function useRenameUnlessDeleted(cards: readonly ListedCard[], onRename: Rename | undefined) {
  const { client } = useProject()
  const latest = useRef(cards)
  latest.current = cards
  return useMemo(() => {
    const isDeleted = async ({ id }: ListedCard) => {
      if (latest.current.some((card) => card.id === id)) return false
      const read = client.call(`${area}/cards/get`, { id })
      return read.then(
        () => false,
        (error) => !isPassing(failureOf(error).status),
      )
    }
    return (
      onRename &&
      (async (card: ListedCard, title: string, begun?: string) => {
        if (!(await isDeleted(card))) return onRename(card, title, begun)
        const said = t('“{title}” was deleted. Its new title was not saved:', { title: card.title })
        showProblem(said, { detail: title })
        throw new Error(said)
      })
    )
  }, [client, onRename])
}
