import { t } from '../words/words.ts'
import '../ui/field-list.css'
import { SavedField } from './saved-field.tsx'

interface Props {
  name: string
  value: string | null
  /** Shown if there is no value. */
  placeholder?: string
  /** The name of the draft. */
  place: string
  isLong?: boolean
  refusal: string | undefined
  /** Rejects if the service refuses; the text then stays here. */
  onSave(value: string | null): Promise<unknown>
}

/** A text field in a list of fields. */
export const FieldText = ({ name, value, placeholder = t('None'), onSave, ...rest }: Props) => (
  <div>
    <dt>{name}</dt>
    <dd>
      <SavedField
        {...rest}
        className="field-value field-text"
        aria-label={name}
        noun={name}
        placeholder={placeholder}
        value={value ?? ''}
        onSave={(text) => onSave(text === '' ? null : text)}
      />
    </dd>
  </div>
)
