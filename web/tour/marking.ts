import { type MutationCacheNotifyEvent, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { area, type Input, type Output } from '../data/client.ts'
import { useProject } from '../data/project.tsx'
import { keyOf } from '../data/read.ts'
import { type Touched, useWrite } from '../data/write.ts'
import { useRefusal } from '../identity/permissions.ts'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { useTour } from './state.tsx'
import { stepOf } from './steps.ts'
import { isDone, listPath, type TourRead } from './types.ts'

/** Sets the status of a step's card, shown at once. */
export function useMark() {
  const { id: projectId } = useProject()
  const { mutate } = useWrite(`${area}/cards/update`, {
    failed: t('The step was not changed'),
    isAside: true,
    change: (cache, { id, status }) =>
      cache.setQueryData<TourRead>(
        keyOf(projectId, listPath),
        (read) =>
          read && {
            ...read,
            cards: read.cards.map((card) => (card.id === id ? { ...card, status: status as string } : card)),
          },
      ),
  })
  return mutate
}

/** Marks a step as done once the person has done what it asks for, anywhere in the app. */
export function useMarking() {
  const { id, me } = useProject()
  const { cards } = useTour()
  const cache = useQueryClient()
  const refusal = useRefusal('work')
  // A superadmin who helps out does not take the customer's steps.
  const isMarking = refusal === undefined && me.current_project?.role !== 'superadmin'
  const mark = useMark()
  useEffect(() => {
    if (!isMarking) return
    return cache.getMutationCache().subscribe((event) => {
      const path = pathDone(event, id)
      if (path === undefined) return
      const steps = cards.filter((card) => !isDone(card) && stepOf(card)?.write === path)
      const done = cards.filter(isDone).length
      for (const [index, card] of steps.entries()) {
        mark({ id: card.id, status: 'closed' })
        showToast(wordsFor(card.title, done + index + 1, cards.length), undefined, { topic: 'tour' })
      }
    })
  }, [cache, cards, id, isMarking, mark])
}

const wordsFor = (title: string, done: number, all: number) =>
  done === all
    ? t('“{title}” is done. That was the last step.', { title })
    : t('“{title}” is done: {done} of {all}', { title, done, all })

/** The operation of a write that has just succeeded in this project. */
function pathDone(event: MutationCacheNotifyEvent, projectId: number): unknown {
  if (event.type !== 'updated' || event.action.type !== 'success') return undefined
  const [project, path] = event.mutation.options.mutationKey ?? []
  if (project !== projectId || (path === movePath && !leftItsGroup(event.mutation.state))) return undefined
  return path
}

const movePath = `${area}/cards/move`
const boardPath = `${area}/boards/get`

/** False for a card that was moved within its group, which the boards from before the move show. */
function leftItsGroup(state: { variables: unknown; context: unknown }): boolean {
  const { id, group_id: to } = state.variables as Input<typeof movePath>
  const touched = state.context as Touched[] | undefined
  const boards = (touched ?? []).map(
    ({ before }) => (before as Partial<Output<typeof boardPath>> | undefined)?.board,
  )
  const from = boards
    .flatMap((board) => board?.groups ?? [])
    .find(({ cards }) => cards.some((card) => card.id === id))
  return from?.id !== to
}
