import { X } from 'lucide-react'
import { useId } from 'react'
import { t } from '../../words/words.ts'
import { IconButton } from '../button.tsx'
import '../field.css'
import { usePopover } from '../popover.tsx'
import { addDays } from './calendar-date.ts'
import './date-field.css'
import { DatePicker } from './date-picker.tsx'
import { dates } from './date-words.ts'
import { typedDateOf } from './typed-date.ts'

interface Props {
  label: string
  /** A day such as `2026-11-16`, or empty. */
  value: string
  onChange(value: string): void
}

/** A labeled field for a day in a list of what happened: "mon" is last Monday. */
export function DateField({ label, value, onChange }: Props) {
  const id = useId()
  const state = usePopover()
  const suggestions = () => {
    const { date } = typedDateOf(new Date())
    return [
      { label: t('Today'), typed: { date } },
      { label: t('Yesterday'), typed: { date: addDays(date, -1) } },
      { label: t('A week ago'), typed: { date: addDays(date, -7) } },
    ]
  }
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="date-field">
        <DatePicker
          state={state}
          label={label}
          value={value === '' ? null : { date: value }}
          time="never"
          tense="past"
          suggestions={suggestions}
          onChange={(typed) => onChange(typed?.date ?? '')}
          trigger={(trigger) => (
            <button id={id} type="button" className="input" aria-describedby={`${id}-value`} {...trigger}>
              <span id={`${id}-value`} className={value === '' ? 'field-hint' : 'numbers'}>
                {value === '' ? t('Any day') : dates.short({ date: value })}
              </span>
            </button>
          )}
        />
        {value !== '' && (
          <IconButton
            label={t('Remove {field}', { field: label })}
            icon={<X />}
            onClick={() => {
              onChange('')
              state.anchor.current?.focus()
            }}
          />
        )}
      </div>
    </div>
  )
}
