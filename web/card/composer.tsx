import { useState } from 'react'
import { Button } from '../ui/button.tsx'

interface ComposerProps {
  label: string
  action: string
  text?: string
  isOpen?: boolean
  refusal: string | undefined
  /** Fails where the text was not taken; then it stays here. */
  onSend(text: string): Promise<unknown>
  onCancel?: () => void
}

/** A field for a comment; Ctrl and Enter send it. What is written here is gone only once it is sent or given up. */
export function Composer({
  label,
  action,
  text = '',
  isOpen = false,
  refusal,
  onSend,
  onCancel,
}: ComposerProps) {
  const [value, setValue] = useState(text)
  const [isSending, setSending] = useState(false)
  const send = async () => {
    const trimmed = value.trim()
    if (trimmed === '' || refusal !== undefined || isSending) return
    setSending(true)
    const isSent = await onSend(trimmed).then(
      () => true,
      () => false,
    )
    setSending(false)
    if (isSent) setValue('')
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
        autoFocus={isOpen}
        rows={1}
        maxLength={65_535}
        dir="auto"
        aria-label={label}
        placeholder={label}
        readOnly={refusal !== undefined || isSending}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
          if (event.key !== 'Escape' || (!onCancel && value.trim() === '')) return
          // Not the panel around it, with all that is written here.
          event.preventDefault()
          onCancel?.()
        }}
      />
      {(value.trim() !== '' || isOpen) && (
        <div className="composer-actions">
          <Button
            type="submit"
            look={onCancel ? 'secondary' : 'primary'}
            refusal={refusal}
            isBusy={isSending}
          >
            {action}
          </Button>
          {onCancel && (
            <Button look="quiet" onClick={onCancel}>
              Cancel
            </Button>
          )}
        </div>
      )}
    </form>
  )
}
