import { type ReactNode, useEffect, useId, useRef } from 'react'
import './dialog.css'
import { addFloating } from './floating.ts'
import { Notifications } from './notifications.tsx'

/** The browser's modal dialog: focus stays inside, Esc closes it, and focus returns to where it was. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string
  onClose(): void
  children: ReactNode
}) {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (!dialog.current) return
    dialog.current.showModal()
    return addFloating(dialog.current)
  }, [])
  return (
    <dialog ref={dialog} className="dialog" aria-labelledby={id} onClose={onClose}>
      <h2 id={id}>{title}</h2>
      {children}
      <Notifications />
    </dialog>
  )
}

export const DialogActions = ({ children }: { children: ReactNode }) => (
  <div className="dialog-actions">{children}</div>
)
