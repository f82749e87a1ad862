import '../ui/field-list.css'
import { SavedField } from './saved-field.tsx'

interface Props {
  name: string
  value: string | null
  /** What it says where there is nothing. */
  placeholder?: string
  /** Under which what is half written is found again. */
  place: string
  maxLength?: number
  isLong?: boolean
  refusal: string | undefined
  /** Fails where the text was not taken; then it stays here. */
  onSave(value: string | null): Promise<unknown>
}

/** A field of a list of fields that is changed by typing. */
export const FieldText = ({ name, value, placeholder = 'None', maxLength = 100, onSave, ...rest }: Props) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <SavedField
        {...rest}
        className="field-value field-text"
        aria-label={name}
        noun={name}
        maxLength={maxLength}
        placeholder={placeholder}
        value={value ?? ''}
        onSave={(text) => onSave(text === '' ? null : text)}
      />
    </dd>
  </div>
)
