// Unsent text, kept in this browser until it is sent, discarded, or the person signs out.
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useProject } from '../data/project.tsx'
import { showToast } from '../ui/toast.tsx'
import { t } from '../words/words.ts'
import { useDraftScopes } from './draft-scope.tsx'
import { attempt, keys, prefix } from './stored.ts'

export interface Kept {
  key: string
  text: string
  /** The stored text when the draft was begun, if it replaces one. */
  before?: string | null
  /** The things it belongs to, such as `board 2` and `card 5`. */
  within?: readonly string[]
}

/** The owner of the drafts. Tabs that stay open after a sign-out save nothing more. */
export const draftOwnerKey = 'draft-owner'
export const keyOf = (userId: number, place: string) => `${prefix}${userId}:${place}`

/** A draft that another tab did not show gets a key of its own, so that neither overwrites the other. */
const keysAt = (place: string) => keys().filter((key) => key === place || key.startsWith(`${place} #`))
const freshKey = (place: string) => `${place} #${Math.random().toString(36).slice(2)}`

/** Far below the browsers' limit of 5 million characters per site, so that there is always room for the newest. */
const mostDrafts = 100
const mostCharacters = 1_000_000

const sizeOf = (key: string) => localStorage.getItem(key)?.length ?? 0

export function read(key: string): (Kept & { at: number }) | undefined {
  const value = attempt(() => JSON.parse(localStorage.getItem(key) ?? 'null'))
  return typeof value?.text === 'string' ? { ...value, key } : undefined
}

/** The draft that this tab wrote last. */
const readOwn = (place: string) => read(attempt(() => sessionStorage.getItem(place)) ?? '')

/** All drafts of a place, the tab's own first, then the newest. */
function find(place: string): Kept[] {
  const own = readOwn(place)?.key
  return (attempt(() => keysAt(place)) ?? [])
    .flatMap((key) => read(key) ?? [])
    .sort((a, b) => Number(b.key === own) - Number(a.key === own) || b.at - a.at)
}

function write(userId: number, place: string, { key, ...kept }: Kept) {
  attempt(() => {
    if (localStorage.getItem(draftOwnerKey) !== String(userId)) return
    sessionStorage.setItem(place, key)
    const value = JSON.stringify({ ...kept, at: Date.now() })
    const others = keys().filter((other) => other !== key)
    let characters = others.reduce((sum, other) => sum + sizeOf(other), value.length)
    if (others.length >= mostDrafts || characters > mostCharacters)
      others.sort((a, b) => (read(b)?.at ?? 0) - (read(a)?.at ?? 0))
    while (others.length > 0 && (others.length >= mostDrafts || characters > mostCharacters)) {
      const oldest = others.pop() as string
      characters -= sizeOf(oldest)
      localStorage.removeItem(oldest)
    }
    if (characters <= mostCharacters) localStorage.setItem(key, value)
  })
}

/** Removes drafts of another person before anything is written. */
export function claimDrafts(userId: number) {
  attempt(() => {
    const own = keyOf(userId, '')
    for (const key of keys()) if (!key.startsWith(own)) localStorage.removeItem(key)
    localStorage.setItem(draftOwnerKey, String(userId))
  })
}

/** Deletes all drafts at sign-out. The owner is removed first, so that no other tab saves its draft again. */
export function forgetDrafts() {
  attempt(() => {
    localStorage.removeItem(draftOwnerKey)
    for (const key of keys()) localStorage.removeItem(key)
  })
}

/** A draft was restored, or this text was sent or discarded. */
type Change = { putBack: Kept; isUndo: boolean } | { cleared: string }

/** Open fields, which are notified of changes of their draft elsewhere in this tab. */
const fields = new Set<(place: string, change: Change) => void>()

function tellFields(place: string, change: Change) {
  for (const hear of fields) hear(place, change)
}

export interface Draft {
  /** Undefined if there is no draft. */
  text: string | undefined
  before: string | null | undefined
  /** True if it was restored or refused, and is not being typed right now. */
  isFound: boolean
  /** True if its field gets the focus when it opens: the person opened it, or undid a discard. */
  takesFocus: boolean
  /** Shows another draft of the same place instead, if another tab has left one. */
  showOther: (() => void) | undefined
  write(text: string, before?: string | null): void
  /** Removes the draft; after sending, only if nothing else was typed since. */
  clear(sent?: string): void
  /** Marks it as refused; a text that was already cleared is put before later text. */
  refuse(text?: string): void
  /** Discards the draft, with undo. */
  discard(said?: string): void
}

/** The person's draft with a name that is unique in the app, such as `comment on card 5`. */
export function useDraft(name: string): Draft {
  const { me } = useProject()
  const userId = me.user.id
  const place = keyOf(userId, name)
  const [found, setFound] = useState(() => find(place))
  const [{ kept, isFound, isUndone }, setState] = useState({
    kept: found[0],
    isFound: found.length > 0,
    isUndone: false,
  })
  const now = useRef(kept)
  const show = useCallback<Show>((shown, isFoundNow, isUndo = false) => {
    now.current = shown
    setState((last) => ({
      kept: shown,
      isFound: shown !== undefined && (isFoundNow || last.isFound),
      isUndone: isUndo,
    }))
  }, [])
  useChangesElsewhere(userId, place, now, show)
  const within = useDraftScopes()
  const actions = useMemo(() => actionsOn(userId, place, within, now, show), [userId, place, within, show])
  const other = found.find(({ key }) => key !== kept?.key && read(key))
  const showOther =
    other &&
    (() => {
      show(read(other.key), true)
      setFound(find(place))
    })
  return {
    text: kept?.text,
    before: kept?.before,
    isFound,
    takesFocus: !isFound || isUndone,
    showOther,
    ...actions,
  }
}

type Show = (kept: Kept | undefined, isFound: boolean, isUndo?: boolean) => void

function useChangesElsewhere(userId: number, place: string, now: RefObject<Kept | undefined>, show: Show) {
  useEffect(() => {
    const onChange = (changed: string, change: Change) => {
      if (changed !== place) return
      if ('putBack' in change) show(change.putBack, true, change.isUndo)
      else if (now.current?.text === change.cleared) show(undefined, false)
    }
    // Another tab has sent or discarded its own text; the text here stays.
    const onStorage = (event: StorageEvent) => {
      if (!now.current || event.key !== now.current.key || event.newValue !== null) return
      if (attempt(() => JSON.parse(event.oldValue ?? 'null')?.text) !== now.current.text)
        write(userId, place, now.current)
    }
    fields.add(onChange)
    window.addEventListener('storage', onStorage)
    return () => {
      fields.delete(onChange)
      window.removeEventListener('storage', onStorage)
    }
  }, [userId, place, now, show])
}

/** These work after their field is gone, because an answer or an undo may come late. */
function actionsOn(
  userId: number,
  place: string,
  within: readonly string[],
  now: RefObject<Kept | undefined>,
  show: Show,
) {
  /** A text of another tab that was not shown here keeps its key. */
  const keyAfter = (last: Kept | undefined) => {
    const { key = place, text } = last ?? {}
    return (read(key)?.text ?? text) === text ? key : freshKey(place)
  }
  const putBack = (kept: Kept, isUndo = false) => {
    write(userId, place, kept)
    tellFields(place, { putBack: kept, isUndo })
  }
  const clear = (sent?: string) => {
    if (!now.current || (sent !== undefined && sent !== now.current.text)) return
    const { key, text: cleared } = now.current
    // Newer text of another tab is not removed.
    if (read(key)?.text === cleared) attempt(() => localStorage.removeItem(key))
    show(undefined, false)
    tellFields(place, { cleared })
  }
  return {
    clear,
    refuse(text?: string) {
      if (text === undefined) return show(now.current, true)
      const later = readOwn(place) ?? now.current
      putBack({ key: keyAfter(later), within, text: later?.text ? `${text.trimEnd()}\n${later.text}` : text })
    },
    write(text: string, before?: string | null) {
      const kept = { key: keyAfter(now.current), text, within, ...(before !== undefined && { before }) }
      show(kept, false)
      // The stored draft is removed, though the field stays open.
      if (text === '') attempt(() => localStorage.removeItem(kept.key))
      else write(userId, place, kept)
    },
    discard(said = t('Draft discarded')) {
      const given = now.current
      clear()
      if (!given || given.text.trim() === '') return
      showToast(said, () => putBack({ ...given, key: keyAfter(given) }, true))
    },
  }
}
