import { type FormEvent, type ReactNode, useState } from 'react'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Field } from './field.tsx'
import { inLetters, isTyped, type Typed } from './typed.ts'

interface Props {
  title: string
  /** What will happen. */
  children: ReactNode
  /** The button says what it does. */
  action: string
  isDanger?: boolean
  /** A text or a number to type first, for actions that cannot be undone or that affect many projects. */
  typed?: Typed | undefined
  /** The label of the other button. */
  dismiss?: string
  onConfirm(): void
  onClose(): void
}

/** Asks before an action that cannot be undone. A second Enter does not do something dangerous. */
export function Confirm(props: Props) {
  const { title, children, action, isDanger, typed, dismiss = t('Cancel'), onConfirm, onClose } = props
  const [text, setText] = useState('')
  const isConfirmed = typed === undefined || isTyped(typed, text)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isConfirmed) return
    onClose()
    onConfirm()
  }
  const answer = (
    <Button
      type="submit"
      look={isDanger ? 'danger' : 'primary'}
      refusal={
        typed === undefined || isConfirmed
          ? undefined
          : t('Type “{text}” in the field above first.', { text: inLetters(typed) })
      }
    >
      {action}
    </Button>
  )
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div className="dialog-text">{children}</div>
        {typed !== undefined && (
          <Field
            label={t('Type “{text}” to confirm', { text: inLetters(typed) })}
            autoFocus
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
        <DialogActions>
          {isDanger && answer}
          {/* The attribute of HTML, because a dialog that opens moves the focus that `autoFocus` gave. */}
          <Button {...(isDanger && typed === undefined && { autofocus: '' })} onClick={onClose}>
            {dismiss}
          </Button>
          {!isDanger && answer}
        </DialogActions>
      </form>
    </Dialog>
  )
}
