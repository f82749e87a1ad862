import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Field } from './field.tsx'

interface Props {
  title: string
  /** What will happen. */
  children: ReactNode
  /** The button says what it does. */
  action: string
  isDanger?: boolean
  /** A text to type first, for actions that cannot be undone or that affect many projects. */
  typed?: string | undefined
  onConfirm(): void
  onClose(): void
}

/** Asks before an action that cannot be undone. */
export function Confirm({ title, children, action, isDanger, typed, onConfirm, onClose }: Props) {
  const [text, setText] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (typed !== undefined && text.trim() !== typed) return
    onClose()
    onConfirm()
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div className="dialog-text">{children}</div>
        {typed !== undefined && (
          <Field
            label={`Type “${typed}” to confirm`}
            autoFocus
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            look={isDanger ? 'danger' : 'primary'}
            autoFocus={typed === undefined}
            refusal={
              typed !== undefined && text.trim() !== typed
                ? `Type “${typed}” in the field above first.`
                : undefined
            }
          >
            {action}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  )
}
