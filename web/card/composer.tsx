import { useState } from 'react'
import { Button } from '../ui/button.tsx'

/** What was written and not sent, by name, for as long as the app is open. */
const drafts = new Map<string, string>()

export const hasDraft = (name: string): boolean => drafts.has(name)

interface ComposerProps {
  /** Under which a draft is found again; with the person in it, because another may sign in. */
  draft: string
  label: string
  action: string
  text?: string
  isOpen?: boolean
  refusal: string | undefined
  /** Fails where the text was not taken; then it stays here. */
  onSend(text: string): Promise<unknown>
  onCancel?: () => void
}

/** A field for a comment; Ctrl and Enter send it. What is written is gone only once it is sent or given up. */
export function Composer({
  draft,
  label,
  action,
  text = '',
  isOpen = false,
  refusal,
  onSend,
  onCancel,
}: ComposerProps) {
  const [value, setValue] = useState(drafts.get(draft) ?? text)
  const [wasKept] = useState(hasDraft(draft))
  const [isSending, setSending] = useState(false)
  const write = (next: string) => {
    setValue(next)
    if (next === text) drafts.delete(draft)
    else drafts.set(draft, next)
  }
  const cancel =
    onCancel &&
    (() => {
      drafts.delete(draft)
      onCancel()
    })
  const send = async () => {
    const trimmed = value.trim()
    if (trimmed === '' || refusal !== undefined || isSending) return
    setSending(true)
    const isSent = await onSend(trimmed).then(
      () => true,
      () => false,
    )
    setSending(false)
    if (!isSent) return
    drafts.delete(draft)
    setValue('')
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <textarea
        className="input"
        // biome-ignore lint/a11y/noAutofocus: only where the person has just asked to write here.
        autoFocus={isOpen && !wasKept}
        rows={1}
        maxLength={65_535}
        dir="auto"
        aria-label={label}
        placeholder={label}
        readOnly={refusal !== undefined || isSending}
        value={value}
        onChange={(event) => write(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
          if (event.key !== 'Escape' || (!cancel && value.trim() === '')) return
          // Not the panel around it, with all that is written here.
          event.preventDefault()
          cancel?.()
        }}
      />
      {(value.trim() !== '' || isOpen) && (
        <div className="composer-actions">
          <Button type="submit" look={cancel ? 'secondary' : 'primary'} refusal={refusal} isBusy={isSending}>
            {action}
          </Button>
          {cancel && (
            <Button look="quiet" onClick={cancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
