import './field-list.css'

interface Props {
  name: string
  value: string | null
  /** What it says where there is nothing. */
  placeholder?: string
  maxLength?: number
  isLong?: boolean
  refusal: string | undefined
  onSave(value: string | null): void
}

/** A field of a list of fields that is changed by typing: Enter or leaving saves, Esc keeps what was. */
export function FieldText(props: Props) {
  const { name, value, placeholder = 'None', maxLength = 100, isLong, refusal, onSave } = props
  const save = (field: HTMLTextAreaElement) => {
    const text = field.value.trim()
    if (text !== (value ?? '')) onSave(text === '' ? null : text)
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <textarea
          key={value}
          className="field-value field-text"
          aria-label={name}
          aria-description={refusal}
          rows={1}
          dir="auto"
          maxLength={maxLength}
          placeholder={placeholder}
          readOnly={refusal !== undefined}
          defaultValue={value ?? ''}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            if (event.key === 'Enter' && !isLong) {
              event.preventDefault()
              save(event.currentTarget)
            }
            if (event.key === 'Escape' && event.currentTarget.value !== (value ?? '')) {
              event.preventDefault()
              event.currentTarget.value = value ?? ''
            }
          }}
          onBlur={(event) => save(event.target)}
        />
      </dd>
    </div>
  )
}
