import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import './field.css'
import './field-picker.css'
import { type Choice, Picker } from './picker.tsx'

interface Props<Id extends string | number> {
  label: string
  choices: readonly Choice<Id>[]
  chosen: Id | undefined
  /** Called with the typed text if the caller finds the choices. */
  onSearch?: ((text: string) => void) | undefined
  /** Whether the choices are still those of an earlier text. */
  isReading?: boolean | undefined
  /** Below the choices. */
  note?: string | undefined
  onChoose(id: Id): void
}

/** A labeled picker, for choices with icons or sections, which a select cannot show. */
export function FieldPicker<Id extends string | number>({
  label,
  choices,
  chosen,
  onSearch,
  isReading,
  note,
  onChoose,
}: Props<Id>) {
  const id = useId()
  const choice = choices.find((one) => one.id === chosen)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Picker
        label={label}
        choices={choices}
        chosen={chosen === undefined ? [] : [chosen]}
        onSearch={onSearch}
        isReading={isReading}
        note={note}
        onChoose={onChoose}
        trigger={(trigger) => (
          <button
            id={id}
            type="button"
            className="input field-picker"
            aria-describedby={`${id}-value`}
            {...trigger}
          >
            {choice?.icon}
            <span id={`${id}-value`} className="truncate" dir="auto">
              {choice?.label}
            </span>
            <ChevronDown aria-hidden="true" />
          </button>
        )}
      />
    </div>
  )
}
