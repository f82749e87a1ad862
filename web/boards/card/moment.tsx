import { CalendarClock, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Absent } from '../../ui/choose.tsx'
import { inDays } from '../../ui/days.ts'
import { Menu } from '../../ui/menu.tsx'
import { fullTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import './moment.css'

interface MomentProps {
  name: string
  icon: ReactNode
  value: string | null
  /** Shown instead of a date that the person cannot add. */
  absent: string
  refusal: string | undefined
  note?: ReactNode
  /** The label of the menu with suggested dates. */
  suggestions: string
  /** The suggested dates by name, computed when the menu opens. */
  quick(): Record<string, string>
  onChange(value: string | null): void
}

/** An optional date and time. */
export function Moment(props: MomentProps) {
  const { name, icon, value, absent, refusal, note, suggestions, quick, onChange } = props
  const [isEditing, setEditing] = useState(false)
  /** True if the person has just set the date without the field, which then gets the focus. */
  const [isSet, setSet] = useState(false)
  const isField = (value !== null || isEditing) && refusal === undefined
  const set = (next: string) => {
    setSet(true)
    onChange(next)
  }
  const change = (next: string | null) => {
    setSet(false)
    onChange(next)
    if (next === null && value !== null) showToast(`${name} removed`, () => set(value))
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd className="field-moment">
        {isField ? (
          <MomentField
            name={name}
            value={value}
            isNew={value === null}
            takesFocus={value === null || isSet}
            onChange={change}
            onEnd={() => setEditing(false)}
          />
        ) : (
          <button
            type="button"
            className={`field-value ${refusal === undefined ? '' : 'field-still'}`}
            aria-disabled={refusal !== undefined || undefined}
            aria-description={refusal}
            data-tip={refusal}
            onClick={() => refusal === undefined && setEditing(true)}
          >
            <span className="visually-hidden">{name}: </span>
            <Absent icon={icon}>
              {value === null ? (refusal === undefined ? 'Add date' : absent) : fullTime(value)}
            </Absent>
          </button>
        )}
        {value !== null && refusal === undefined && (
          <IconButton label={`Remove ${name.toLowerCase()}`} icon={<X />} onClick={() => change(null)} />
        )}
        {value === null && refusal === undefined && (
          <Menu
            label={suggestions}
            entries={() => Object.entries(quick()).map(([label, at]) => ({ label, onSelect: () => set(at) }))}
            trigger={(props) => <IconButton {...props} label={suggestions} icon={<CalendarClock />} />}
          />
        )}
        {note}
      </dd>
    </div>
  )
}

interface MomentFieldProps {
  name: string
  value: string | null
  isNew: boolean
  takesFocus: boolean
  onChange(value: string | null): void
  onEnd(): void
}

/** Enter or leaving the field saves, Esc cancels. */
function MomentField({ name, value, isNew, takesFocus, onChange, onEnd }: MomentFieldProps) {
  const kept = localTime(value ?? '')
  const field = useRef<HTMLInputElement>(null)
  /** The value before the person changed it. */
  const before = useRef(kept)
  const put = (text: string) => {
    before.current = text
    if (field.current) field.current.value = text
  }
  // Shows a value that someone else saved, unless the person is typing one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the stored value changes.
  useEffect(() => {
    const input = field.current
    if (input && input.value === before.current && !input.validity.badInput) put(kept)
  }, [kept])
  const save = ({ value: text, validity }: HTMLInputElement) => {
    // Browsers report an incomplete date as an empty value.
    if (validity.badInput) showToast(`${name} not changed. Enter a full date and time.`)
    else if (text !== before.current) {
      before.current = text
      onChange(text === '' ? null : new Date(text).toISOString())
    }
  }
  return (
    <input
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: the person has just asked to set it.
      autoFocus={takesFocus}
      type="datetime-local"
      className="field-value numbers"
      aria-label={name}
      defaultValue={kept}
      // Otherwise a year may have six digits.
      max="9999-12-31T23:59"
      onBlur={(event) => {
        save(event.target)
        if (event.target.validity.badInput) put(kept)
        onEnd()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') save(event.currentTarget)
        if (event.key !== 'Escape' || (!isNew && event.currentTarget.value === before.current)) return
        event.preventDefault()
        put(kept)
        onEnd()
      }}
    />
  )
}

/** Due at the end of the day. */
export const dueChoices = () => ({
  Today: inDays(0, 23, 59),
  Tomorrow: inDays(1, 23, 59),
  'Next week': inDays(untilMonday(), 23, 59),
})

/** The card is back in the morning. */
export const snoozeChoices = () => ({ Tomorrow: inDays(1, 8), 'Next week': inDays(untilMonday(), 8) })

const untilMonday = () => (8 - new Date().getDay()) % 7 || 7

/** The format of a datetime-local field: local time to the minute. */
function localTime(iso: string): string {
  if (iso === '') return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
