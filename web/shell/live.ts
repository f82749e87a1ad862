import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LiveEvent } from '#live/live-event.ts'
import { createApplying, takesEvents } from '../data/applying-events.ts'
import { area, identity, streamUrl } from '../data/client.ts'
import { forgetEarlyAnswers } from '../data/early.ts'
import {
  type Present,
  presenceKey,
  streamHasBeaten,
  streamHasClosed,
  streamHasOpened,
  streamId,
} from '../data/presence.ts'
import { refreshSoon } from '../data/refresh.ts'
import { draftOwnerKey } from '../drafts/drafts.ts'

const reconnectMilliseconds = 1000
/** A person who was removed, or has a deleted project open, is refused each time, so the pauses grow up to this. */
const longestReconnectMilliseconds = 30_000
/** The service sends a message every 15 seconds; a silent connection is closed after twice that. */
const silenceMilliseconds = 35_000
/** A hidden tab closes its connection, because browsers allow six per host for all tabs together. */
const hiddenMilliseconds = 10_000

/** Longer than a reconnect takes if the service only ended the stream, as it does when the session is replaced. */
const patienceMilliseconds = 2000

/** Keeps a project's data up to date from the event stream, and returns whether it is connected. */
export function useLive(projectId: number): boolean {
  const cache = useQueryClient()
  const [isConnected, setConnected] = useState(true)
  useEffect(() => listen(cache, projectId, setConnected), [cache, projectId])
  return isConnected
}

function listen(cache: QueryClient, projectId: number, setConnected: (isConnected: boolean) => void) {
  let source: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  let rest: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let lost: ReturnType<typeof setTimeout> | undefined
  /** In a row. */
  let refusals = 0
  const askWho = () => cache.invalidateQueries({ queryKey: [projectId, `${identity}/users/me`] })
  const refresh = (concerns: (query: Query) => boolean) => refreshSoon(cache, projectId, concerns)
  const applying = createApplying(cache, projectId, {
    isConcerned,
    refresh: (query) => refresh((one) => one === query),
  })

  /** A new stream does not include earlier events, and an answer that is still on its way may be from before them. */
  function refreshOlder() {
    const older = new Set(cache.getQueryCache().findAll({ queryKey: [projectId], predicate: isRead }))
    refresh((query) => older.has(query) && !takesEvents(query))
  }

  function hear() {
    clearTimeout(silence)
    silence = setTimeout(() => {
      setConnected(false)
      open()
    }, silenceMilliseconds)
  }

  function connect() {
    hear()
    // What is read from now on must not be older than the stream.
    forgetEarlyAnswers()
    // A stream that goes on has missed nothing, unlike a read that failed meanwhile.
    if (lost !== undefined) refresh(hasFailed)
    clearTimeout(lost)
    lost = undefined
    setConnected(true)
    // They may be back in the project.
    if (refusals > 0) void askWho()
    refusals = 0
  }

  function close() {
    for (const timer of [retry, rest, silence]) clearTimeout(timer)
    source?.close()
    source = undefined
    applying.pause()
    streamHasClosed()
  }

  function open() {
    close()
    hear()
    source = new EventSource(streamUrl(projectId, streamId))
    let isFirst = true
    source.addEventListener('beat', () => {
      hear()
      streamHasBeaten()
    })
    source.addEventListener('changes', (message) => {
      connect()
      if (isFirst) streamHasOpened()
      const { events } = JSON.parse(message.data) as { events: LiveEvent[] }
      for (const event of events) refresh((query) => !takesEvents(query) && isConcerned(query, event))
      if (isFirst) {
        applying.begin(message.lastEventId)
        refreshOlder()
      } else applying.add(events)
      isFirst = false
    })
    source.addEventListener('inbox', () => {
      hear()
      refresh(({ queryKey: [, path] }) => isOfInbox(path) && path !== otherInboxes)
    })
    source.addEventListener('other_inbox', () => {
      hear()
      refresh(({ queryKey: [, path] }) => path === otherInboxes)
    })
    source.addEventListener('presence', (message) => {
      hear()
      const { people } = JSON.parse(message.data) as { people: Present[] }
      cache.setQueryData(presenceKey(projectId), people)
    })
    source.addEventListener('reset', (message) => {
      connect()
      streamHasOpened()
      applying.forget()
      applying.begin(message.lastEventId)
      refresh(() => true)
    })
    source.addEventListener('error', () => {
      const isRefused = source?.readyState === EventSource.CLOSED
      if (isRefused) {
        retry = setTimeout(
          open,
          Math.min(reconnectMilliseconds * 2 ** refusals, longestReconnectMilliseconds),
        )
        refusals++
      }
      // An ended session leads to sign-in and is not a lost connection.
      if (isRefused || lost === undefined) void askWho()
      lost ??= setTimeout(() => source && setConnected(false), patienceMilliseconds)
    })
  }

  function onVisibility() {
    clearTimeout(rest)
    if (document.visibilityState === 'hidden') rest = setTimeout(close, hiddenMilliseconds)
    else if (!source) open()
  }

  // The person has signed out, or in as someone else, in another tab.
  const onStorage = ({ key }: StorageEvent) => {
    if (key === draftOwnerKey) void askWho()
  }
  // Without a network, a connection stays silent for minutes before it fails.
  const onOffline = () => setConnected(false)
  open()
  document.addEventListener('visibilitychange', onVisibility)
  window.addEventListener('offline', onOffline)
  window.addEventListener('online', open)
  window.addEventListener('storage', onStorage)
  return () => {
    window.removeEventListener('offline', onOffline)
    window.removeEventListener('online', open)
    window.removeEventListener('storage', onStorage)
    document.removeEventListener('visibilitychange', onVisibility)
    clearTimeout(lost)
    close()
    applying.stop()
  }
}

/** The signed-in user was read together with the stream and has no events. */
const isRead = ({ queryKey: [, path], state }: Query) =>
  path !== `${identity}/users/me` && (state.status !== 'pending' || state.fetchStatus === 'fetching')

const hasFailed = ({ state: { status } }: Query) => status === 'error'

/** Superadmins' reads are in none of these: they are about all projects and are polled. */
const areaOf = (kind: string) =>
  kind.startsWith('theme')
    ? '/services/websites/'
    : kind.startsWith('subscription.') || kind.startsWith('order.')
      ? '/services/platforms/'
      : kind.startsWith('project.') || kind.startsWith('member.')
        ? identity
        : area

/** What the project switcher shows of other projects. */
const otherInboxes = `${area}/inbox/unread-by-project`

const isOfInbox = (path: unknown) => String(path).startsWith(`${area}/inbox/`)

/** Other changes of the inbox have a message of their own. */
const hidesItems = /^(board|group)\.|^card\.(deleted|restored|updated|moved|reset)$/

/** True if the event affects the read. */
export function isConcerned({ queryKey: [, path, input] }: Query, event: LiveEvent): boolean {
  if (!String(path).startsWith(areaOf(event.kind))) return false
  if (isOfInbox(path)) return path === `${area}/inbox/list` && hidesItems.test(event.kind)
  // Only saved views change with this event, and only by it.
  const isOfViews = path === `${area}/views/list`
  if (isOfViews || event.kind === 'views.changed') return isOfViews && event.kind === 'views.changed'
  const { id, board_id, card_id } = (input ?? {}) as Record<string, number | undefined>
  if (path === `${area}/boards/get` && event.kind.startsWith('comment.')) return false
  if (path === `${area}/boards/get-personal` && !/^comment\.|\.(restored|unarchived)$/.test(event.kind))
    return false
  const boardId = path === `${area}/boards/get` ? id : board_id
  if (boardId !== undefined && event.board_id !== null && event.board_id !== boardId) return false
  const cardId = path === `${area}/cards/get` ? id : card_id
  return cardId === undefined || event.card_id === null || event.card_id === cardId
}
