import { useRef, useState } from 'react'
import { useFocusReturn } from '../ui/focus-return.ts'
import { t } from '../words/words.ts'
import { useDraft } from './drafts.ts'
import './draft-note.css'
import './editable-text.css'

interface Props {
  value: string
  /** The label for screen readers, such as "Rename the group Inbox". */
  label: string
  /** The name of the draft. */
  place: string
  refusal?: string | undefined
  className?: string
  /** Shows the field at once, where something else opens it. */
  isOpen?: boolean
  /** Called when the field closes, by a key or by leaving it. */
  onEnd?(byKey: boolean): void
  /** Rejects if the service refuses; the text is then a draft again. `begun` is the value when typing began. */
  onSave(value: string, begun?: string): Promise<unknown>
}

/** Text that becomes a field when pressed: Enter or leaving saves, Esc cancels, and unsent text is a draft. */
export function EditableText(props: Props) {
  const { value, label, place, refusal, className = '', isOpen = false, onEnd, onSave } = props
  const draft = useDraft(place)
  const [isOpened, setOpened] = useState(isOpen)
  const isEditing = isOpened || draft.text !== undefined
  const { button, willReturn } = useFocusReturn(isEditing)
  /** Removing the field also triggers "leave", which must not save discarded text. */
  const isOver = useRef(false)
  const entered = useRef('')

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
        onClick={() => setOpened(true)}
      >
        {value}
      </button>
    )
  const end = (text: string | undefined, byKey: boolean) => {
    isOver.current = true
    if (byKey) willReturn()
    setOpened(false)
    onEnd?.(byKey)
    const trimmed = text?.trim()
    if (text === undefined && draft.text !== value) return draft.discard()
    draft.clear()
    if (trimmed && trimmed !== value)
      onSave(trimmed, draft.before ?? value).catch(() => draft.refuse(trimmed))
  }
  return (
    <span className="editable-field">
      <input
        className={`editable-text editable-input ${className}`}
        // biome-ignore lint/a11y/noAutofocus: the person has just pressed the text; a restored draft does not take the focus.
        autoFocus={draft.takesFocus}
        aria-label={label}
        aria-description={draft.isFound ? t('Unsaved draft') : undefined}
        dir="auto"
        value={draft.text ?? value}
        onChange={(event) => draft.write(event.target.value, draft.before ?? value)}
        onFocus={(event) => {
          isOver.current = false
          entered.current = event.target.value
          event.target.select()
        }}
        onBlur={({ target }) => {
          // Merely leaving the field does not send a restored or refused draft.
          const isPassing = draft.isFound && target.value === entered.current
          if (!isOver.current && !isPassing) end(target.value, false)
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return
          event.stopPropagation()
          if (event.key !== 'Enter' && event.key !== 'Escape') return
          // Otherwise the key would also press the button that gets the focus.
          event.preventDefault()
          end(event.key === 'Enter' ? event.currentTarget.value : undefined, true)
        }}
      />
      {draft.isFound && <span className="draft-mark">{t('Draft')}</span>}
    </span>
  )
}
