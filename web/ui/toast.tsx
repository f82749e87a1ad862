import { X } from 'lucide-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { failureOf } from '../data/failure.ts'
import { IconButton } from './button.tsx'
import './toast.css'

interface Toast {
  id: number
  text: string
  /** Small, beneath the text. */
  detail?: string
  isFailure?: boolean
  undo?: () => void
  /** Leads to what the text is about. */
  show?: () => void
  /** One that is said later about the same takes its place. */
  topic?: string
}

const shownMilliseconds = 8000
let toasts: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]) {
  toasts = next
  for (const listener of listeners) listener()
}

const dismiss = (id: number) => change(toasts.filter((toast) => toast.id !== id))

/** Says what has happened, with a way back for eight seconds where there is one; what is returned withdraws it. */
export function showToast(
  text: string,
  undo?: () => void,
  more: Pick<Toast, 'show' | 'topic'> = {},
): () => void {
  const id = ++last
  const others = toasts.filter(({ topic }) => topic === undefined || topic !== more.topic)
  change([...others.slice(-2), { id, text, ...(undo && { undo }), ...more }])
  return () => dismiss(id)
}

export function showFailure(what: string, error: unknown) {
  const { message, requestId, status } = failureOf(error)
  if (status === 401) return
  const detail = requestId === '' ? {} : { detail: `Request ${requestId}` }
  change([...toasts.slice(-2), { id: ++last, text: `${what}. ${message}`, isFailure: true, ...detail }])
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts)
  useEffect(() => {
    const undoByKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).closest('input, textarea, [contenteditable=true]')
      if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || event.shiftKey || isTyping) return
      const toast = toasts.findLast(({ undo }) => undo)
      if (!toast) return
      event.preventDefault()
      dismiss(toast.id)
      toast.undo?.()
    }
    document.addEventListener('keydown', undoByKey)
    return () => document.removeEventListener('keydown', undoByKey)
  }, [])
  return (
    <section className="toasts" aria-label="Notifications">
      <div role="status" className="toasts-list">
        {shown.map((toast) => (
          <ToastItem key={toast.id} toast={toast} />
        ))}
      </div>
    </section>
  )
}

function ToastItem({ toast }: { toast: Toast }) {
  const [isHeld, setHeld] = useState(false)
  const act = toast.undo ?? toast.show
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => dismiss(toast.id), shownMilliseconds)
    return () => clearTimeout(timer)
  }, [isHeld, toast.id])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits longer while somebody reads it.
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
      {act && (
        <button
          type="button"
          className="toast-action"
          onClick={() => {
            dismiss(toast.id)
            act()
          }}
        >
          {toast.undo ? 'Undo' : 'Show'}
        </button>
      )}
      <IconButton label="Dismiss" icon={<X />} onClick={() => dismiss(toast.id)} />
    </div>
  )
}
