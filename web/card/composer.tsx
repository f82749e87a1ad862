import { useState } from 'react'
import { Button } from '../ui/button.tsx'

interface ComposerProps {
  label: string
  action: string
  text?: string
  isOpen?: boolean
  refusal: string | undefined
  onSend(text: string): void
  onCancel?: () => void
}

/** A field for a comment; Ctrl and Enter send it. */
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
  const send = () => {
    const trimmed = value.trim()
    if (trimmed === '' || refusal !== undefined) return
    onSend(trimmed)
    setValue('')
  }
  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        send()
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
        readOnly={refusal !== undefined}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) send()
          if (event.key === 'Escape' && onCancel) {
            event.preventDefault()
            onCancel()
          }
        }}
      />
      {(value.trim() !== '' || isOpen) && (
        <div className="composer-actions">
          <Button type="submit" look={onCancel ? 'secondary' : 'primary'} refusal={refusal}>
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
