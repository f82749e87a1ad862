import { ChevronDown } from 'lucide-react'
import { useId } from 'react'
import './field.css'
import './field-picker.css'
import { type Choice, Picker } from './picker.tsx'

interface Props<Id extends string | number> {
  label: string
  choices: readonly Choice<Id>[]
  chosen: Id | undefined
  onChoose(id: Id): void
}

/** A labeled picker, for choices with icons or sections, which a select cannot show. */
export function FieldPicker<Id extends string | number>({ label, choices, chosen, onChoose }: Props<Id>) {
  const id = useId()
  const choice = choices.find((one) => one.id === chosen)
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <Picker
        label={label}
        choices={choices}
        chosen={chosen === undefined ? [] : [chosen]}
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
