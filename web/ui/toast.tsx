import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { isTyping } from './commands.ts'
import './toast.css'

interface Toast {
  id: number
  text: string
  /** Small print below the text. */
  detail?: string
  isFailure?: boolean
  undo?: () => void
  /** Opens what the text is about. */
  show?: () => void
  /** A newer toast with the same topic replaces it. */
  topic?: string
}

const shownMilliseconds = 8000
/** The maximum of each kind, so that successes do not push failures away. */
const mostShown = 3
/** How long Ctrl and Z take back the last change, after its toast is gone. */
const undoMilliseconds = 5 * 60_000
/** The topic of toasts about an undo. */
export const undoTopic = 'undo'
let lastUndo: { id: number; text: string; undo(): void; until: number } | undefined
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

function add(toast: Omit<Toast, 'id'>): number {
  const id = ++last
  const others = toasts.filter(({ topic }) => topic === undefined || topic !== toast.topic)
  const ofItsKind = others.filter(({ isFailure }) => isFailure === toast.isFailure)
  const tooMany = new Set(ofItsKind.slice(0, Math.max(0, ofItsKind.length - mostShown + 1)))
  change([...others.filter((other) => !tooMany.has(other)), { id, ...toast }])
  return id
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Shows what happened for eight seconds, with undo if given; returns a function that removes it. */
export function showToast(
  text: string,
  undo?: () => void,
  more: Pick<Toast, 'show' | 'topic'> = {},
): () => void {
  const id = add({ text, ...(undo && { undo }), ...more })
  if (undo) lastUndo = { id, text, undo, until: Date.now() + undoMilliseconds }
  return () => {
    if (lastUndo?.id === id) lastUndo = undefined
    dismiss(id)
  }
}

/** For when something else has changed since, so that undo would surprise. */
export function forgetLastUndo() {
  lastUndo = undefined
}

/** Removes everything that could be undone. */
export function forgetUndo() {
  forgetLastUndo()
  change(toasts.filter(({ undo }) => !undo))
}

/** Takes back what the newest toast is about, or the last change; false if there is nothing to undo. */
function undoLast(): boolean {
  const shown = toasts.findLast(({ undo }) => undo)
  const last = lastUndo && Date.now() < lastUndo.until ? lastUndo : undefined
  lastUndo = undefined
  if (shown) {
    dismiss(shown.id)
    shown.undo?.()
  } else if (last) {
    last.undo()
    showToast(t('Undone: {change}', { change: last.text }), undefined, { topic: undoTopic })
  }
  return shown !== undefined || last !== undefined
}

/** Shows what failed and why, until it is dismissed. */
export const showProblem = (text: string, more: Pick<Toast, 'detail' | 'show' | 'topic'>) =>
  void add({ text, isFailure: true, ...more })

/** Removes what is shown about something that has worked since. */
export const dismissTopic = (topic: string) => change(toasts.filter((toast) => toast.topic !== topic))

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Renders nothing if another place is active. */
export function Toasts({ isInUse }: { isInUse: boolean }) {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  useEffect(() => {
    if (!isInUse) return
    const undoByKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'z' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        isTyping(event.target)
      )
        return
      if (undoLast()) event.preventDefault()
    }
    document.addEventListener('keydown', undoByKey)
    return () => document.removeEventListener('keydown', undoByKey)
  }, [isInUse])
  return (
    <section className="toasts" aria-label={t('Notifications')}>
      <div role="status" className="toasts-list">
        {isInUse && shown.map((toast) => <ToastItem key={toast.id} toast={toast} />)}
      </div>
    </section>
  )
}

function ToastItem({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || toast.isFailure) return
    const timer = setTimeout(() => dismiss(toast.id), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [isHeld, toast])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits longer while it is being read.
    <div
      className={`toast ${toast.isFailure ? 'toast-failure' : ''}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <div className="toast-text">
        {toast.text}
        {toast.detail && <small>{toast.detail}</small>}
      </div>
      {(['undo', 'show'] as const).map(
        (action) =>
          toast[action] && (
            <button
              key={action}
              type="button"
              className="toast-action"
              onClick={() => {
                dismiss(toast.id)
                if (action === 'undo') forgetLastUndo()
                toast[action]?.()
              }}
            >
              {action === 'undo' ? t('Undo') : t('Show')}
            </button>
          ),
      )}
      <IconButton label={t('Dismiss')} icon={<X />} onClick={() => dismiss(toast.id)} />
    </div>
  )
}
