// Who else has a board open. This window tells the service what it shows under the name of its event stream, whenever that changes or the
// stream has been opened again, and with every beat of the stream, since a stream alone looks open for minutes after the network was lost.
// The stream tells who is here.
import { skipToken, useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useSyncExternalStore } from 'react'
import { area, type Output } from './client.ts'
import { useProject } from './project.tsx'

export type Present = Output<`${typeof area}/presence/show`>['people'][number]

/** Random; there is no crypto.randomUUID where the page was not loaded securely. */
export const streamId = [...crypto.getRandomValues(new Uint32Array(4))].map((n) => n.toString(36)).join('')

/** Where the cache has who is here. */
export const presenceKey = (projectId: number) => [projectId, 'presence'] as const

/** A board that is left again at once is not shown to others. */
const settleMilliseconds = 200

/** How often the stream was opened or has beaten. */
let signs = 0
let isOpen = false
const listeners = new Set<() => void>()

export function streamHasOpened(): void {
  isOpen = true
  streamHasBeaten()
}

export function streamHasBeaten(): void {
  signs++
  for (const listener of listeners) listener()
}

export function streamHasClosed(): void {
  isOpen = false
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Shows others that this window has the board open, and the description that is edited in it. */
export function useShowPresence(boardId: number, editingCardId: number | null): void {
  const { client } = useProject()
  const times = useSyncExternalStore(subscribe, () => signs)
  useEffect(() => {
    if (times === 0) return
    const show = () =>
      client
        .call(`${area}/presence/show`, {
          stream_id: streamId,
          board_id: boardId,
          editing_card_id: editingCardId,
        })
        // The person loses nothing if others do not see them.
        .catch(() => {})
    const timer = setTimeout(show, settleMilliseconds)
    return () => clearTimeout(timer)
  }, [client, boardId, editingCardId, times])
  useEffect(() => {
    const end = () => client.call(`${area}/presence/end`, { stream_id: streamId }).catch(() => {})
    // Signing out or leaving the project closes the stream, which ends it too.
    return () => void setTimeout(() => isOpen && end())
  }, [client])
}

/** The others who have the board open. */
export function usePresent(boardId: number): readonly Present[] {
  const { id, me, isConnected } = useProject()
  // All superadmins who help the project are one.
  const ownId = me.current_project?.role === 'superadmin' ? 0 : me.user.id
  const { data } = useQuery<readonly Present[]>({ queryKey: presenceKey(id), queryFn: skipToken })
  return useMemo(
    () =>
      isConnected
        ? (data ?? []).filter(({ user_id, board_id }) => user_id !== ownId && board_id === boardId)
        : [],
    [data, ownId, boardId, isConnected],
  )
}
