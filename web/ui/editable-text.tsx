import { useState } from 'react'
import './editable-text.css'
import { useFocusReturn } from './focus-return.ts'

interface Props {
  value: string
  /** What is renamed, for those who do not see it: "Rename the group Inbox". */
  label: string
  maxLength?: number
  refusal?: string | undefined
  className?: string
  onSave(value: string): void
}

/** Text that turns into its own field: Enter or leaving saves, Esc keeps what was. */
export function EditableText({ value, label, maxLength = 255, refusal, className = '', onSave }: Props) {
  const [isEditing, setEditing] = useState(false)
  const { button, willReturn } = useFocusReturn(isEditing)

  if (refusal !== undefined && !isEditing)
    return (
      <span className={`editable-text ${className}`} dir="auto">
        {value}
      </span>
    )
  if (!isEditing)
    return (
      <button
        ref={button}
        type="button"
        className={`editable-text editable-button ${className}`}
        aria-description={label}
        dir="auto"
        onClick={() => setEditing(true)}
      >
        {value}
      </button>
    )
  const end = (text: string | undefined, byKey: boolean) => {
    if (byKey) willReturn()
    setEditing(false)
    const trimmed = text?.trim()
    if (trimmed && trimmed !== value) onSave(trimmed)
  }
  return (
    <input
      className={`editable-text editable-input ${className}`}
      // biome-ignore lint/a11y/noAutofocus: the person has just pressed the text to change it.
      autoFocus
      aria-label={label}
      dir="auto"
      defaultValue={value}
      maxLength={maxLength}
      onFocus={(event) => event.target.select()}
      onBlur={(event) => isEditing && end(event.target.value, false)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return
        event.stopPropagation()
        if (event.key !== 'Enter' && event.key !== 'Escape') return
        // Else the key would press the button that focus returns to.
        event.preventDefault()
        end(event.key === 'Enter' ? event.currentTarget.value : undefined, true)
      }}
    />
  )
}
