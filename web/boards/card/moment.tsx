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
  refusal: string | undefined
  note?: ReactNode
  /** What most people want, by name, as it is now. */
  quick(): Record<string, string>
  onChange(value: string | null): void
}

/** A point in time that may be absent. */
export function Moment({ name, icon, value, refusal, note, quick, onChange }: MomentProps) {
  const [isEditing, setEditing] = useState(false)
  const isField = (value !== null || isEditing) && refusal === undefined
  const change = (next: string | null) => {
    onChange(next)
    if (next === null) showToast(`“${name}” cleared`, () => onChange(value))
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
            onChange={change}
            onEnd={() => setEditing(false)}
          />
        ) : (
          <button
            type="button"
            className={`field-value ${refusal === undefined ? '' : 'field-still'}`}
            aria-disabled={refusal !== undefined || undefined}
            data-tip={refusal}
            onClick={() => refusal === undefined && setEditing(true)}
          >
            <span className="visually-hidden">{name}: </span>
            <Absent icon={icon}>{value === null ? 'None' : fullTime(value)}</Absent>
          </button>
        )}
        {value !== null && refusal === undefined && (
          <IconButton label={`Clear ${name.toLowerCase()}`} icon={<X />} onClick={() => change(null)} />
        )}
        {value === null && refusal === undefined && (
          <Menu
            label={`Quick choices for ${name.toLowerCase()}`}
            entries={() =>
              Object.entries(quick()).map(([label, at]) => ({ label, onSelect: () => onChange(at) }))
            }
            trigger={(props) => (
              <IconButton
                {...props}
                label={`Quick choices for ${name.toLowerCase()}`}
                icon={<CalendarClock />}
              />
            )}
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
  onChange(value: string | null): void
  onEnd(): void
}

/** Enter or leaving saves, Esc keeps what was. */
function MomentField({ name, value, isNew, onChange, onEnd }: MomentFieldProps) {
  const kept = localTime(value ?? '')
  const field = useRef<HTMLInputElement>(null)
  /** What was there before the person changed it. */
  const before = useRef(kept)
  const put = (text: string) => {
    before.current = text
    if (field.current) field.current.value = text
  }
  // What somebody else has saved meanwhile; not into what is being typed, of which a part may be missing still.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is a new value that is put there.
  useEffect(() => {
    const input = field.current
    if (input && input.value === before.current && !input.validity.badInput) put(kept)
  }, [kept])
  const save = ({ value: text, validity }: HTMLInputElement) => {
    // The browser gives a date with a part missing as no date at all.
    if (validity.badInput) showToast(`“${name}” is as it was: it needs a whole date and a time`)
    else if (text !== before.current) {
      before.current = text
      onChange(text === '' ? null : new Date(text).toISOString())
    }
  }
  return (
    <input
      ref={field}
      // biome-ignore lint/a11y/noAutofocus: only where the person has just asked to set it.
      autoFocus={isNew}
      type="datetime-local"
      className="field-value numbers"
      aria-label={name}
      defaultValue={kept}
      // Else a year may have six digits.
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

/** By the end of the day. */
export const dueChoices = () => ({
  Today: inDays(0, 23, 59),
  Tomorrow: inDays(1, 23, 59),
  'Next week': inDays(untilMonday(), 23, 59),
})

/** Back in the morning. */
export const snoozeChoices = () => ({ Tomorrow: inDays(1, 8), 'Next week': inDays(untilMonday(), 8) })

const untilMonday = () => (8 - new Date().getDay()) % 7 || 7

/** As the field wants it: local, to the minute. */
function localTime(iso: string): string {
  if (iso === '') return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
