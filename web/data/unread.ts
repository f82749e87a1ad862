// How many unread items the inbox has, and marking them as read; for the sidebar, the inbox and the open card, which do not know each other.
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { t } from '../words/words.ts'
import { area, type Output, type Path } from './client.ts'
import { useProject } from './project.tsx'
import { keyOf, useRead } from './read.ts'
import { useWrite } from './write.ts'

type Page = Output<`${typeof area}/inbox/list`>
export type InboxItem = Page['items'][number]

const reads = [`${area}/inbox/list`, `${area}/inbox/unread`] as const satisfies Path[]

/** 0 until it is known. */
export const useUnreadCount = (): number => useRead(`${area}/inbox/unread`).data?.unread_count ?? 0

const byProject = `${area}/inbox/unread-by-project` as const

/** The operator's area has no event stream. */
const lookMilliseconds = 60_000

/** The unread items of the person's other projects, by project, and how to look again: what is hidden there has no message. */
export function useUnreadElsewhere(): { unread: ReadonlyMap<number, number>; look(): void } {
  const { id, client, isOperator } = useProject()
  const { data, refetch } = useQuery({
    queryKey: keyOf(id, byProject),
    queryFn: () => client.call(byProject),
    refetchInterval: isOperator && lookMilliseconds,
    refetchOnMount: 'always',
  })
  const unread = useMemo(
    () =>
      new Map(
        (data?.projects ?? [])
          .filter(({ project_id }) => project_id !== id)
          .map(({ project_id, unread_count }) => [project_id, unread_count]),
      ),
    [data, id],
  )
  return { unread, look: () => void refetch() }
}

/** Shows items as read before the service has answered. */
function showRead(cache: QueryClient, projectId: number, isMarked: (item: InboxItem) => boolean) {
  /** An item may be in both lists. */
  const marked = new Set<number>()
  const mark = (item: InboxItem): InboxItem => {
    if (item.is_read || !isMarked(item)) return item
    marked.add(item.id)
    return { ...item, is_read: true }
  }
  cache.setQueriesData<{ pages: Page[] }>(
    { queryKey: [projectId, `${area}/inbox/list`] },
    (read) =>
      read && { ...read, pages: read.pages.map((page) => ({ ...page, items: page.items.map(mark) })) },
  )
  cache.setQueryData<{ unread_count: number }>(
    keyOf(projectId, `${area}/inbox/unread`),
    (read) => read && { unread_count: Math.max(0, read.unread_count - marked.size) },
  )
}

export function useMarkRead() {
  const { id } = useProject()
  const failed = t('The inbox was not changed')
  const { mutate: markRead } = useWrite(`${area}/inbox/mark-read`, {
    failed,
    refreshes: reads,
    change: (cache, { items }) => showRead(cache, id, (item) => items.includes(item.id)),
  })
  const { mutate: markAllRead } = useWrite(`${area}/inbox/mark-all-read`, {
    failed,
    refreshes: reads,
    change: (cache, { up_to }) =>
      showRead(cache, id, (item) => item.id <= (up_to ?? Number.POSITIVE_INFINITY)),
  })
  return { markRead, markAllRead }
}

/** Marks what the inbox says about a card as read while the person has it open. */
export function useMarkCardRead(cardId: number): void {
  const { isConnected } = useProject()
  const count = useUnreadCount()
  const { mutate } = useWrite(`${area}/inbox/mark-card-read`, {
    failed: t('The inbox was not changed'),
    refreshes: reads,
  })
  useEffect(() => {
    if (count === 0 || !isConnected) return
    const mark = () => {
      if (document.visibilityState === 'visible') mutate({ card_id: cardId })
    }
    mark()
    // What came while they looked at another window is seen when they are back.
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [count, isConnected, cardId, mutate])
}
