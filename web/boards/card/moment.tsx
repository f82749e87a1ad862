import { CalendarClock, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { Absent } from '../../ui/choose.tsx'
import { inDays } from '../../ui/days.ts'
import { Menu } from '../../ui/menu.tsx'
import { fullTime } from '../../ui/time.tsx'
import { showToast } from '../../ui/toast.tsx'
import { t } from '../../words/words.ts'
import './moment.css'

interface Kind {
  name: string
  /** Shown instead of a date that the person cannot add. */
  absent: string
  remove: string
  removed: string
  /** The message about an incomplete date. */
  incomplete: string
  /** The label of the menu with suggested dates. */
  suggestions: string
  /** The suggested dates by name, computed when the menu opens. */
  quick(): Record<string, string>
}

interface MomentProps {
  of: Kind
  icon: ReactNode
  value: string | null
  refusal: string | undefined
  note?: ReactNode
  onChange(value: string | null): void
}

/** An optional date and time. */
export function Moment(props: MomentProps) {
  const { of, icon, value, refusal, note, onChange } = props
  const { name, suggestions } = of
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
    if (next === null && value !== null) showToast(of.removed, () => set(value))
  }
  return (
    <div>
      <dt>{name}</dt>
      <dd className="field-moment">
        {isField ? (
          <MomentField
            of={of}
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
              {value === null ? (refusal === undefined ? t('Add date') : of.absent) : fullTime(value)}
            </Absent>
          </button>
        )}
        {value !== null && refusal === undefined && (
          <IconButton label={of.remove} icon={<X />} onClick={() => change(null)} />
        )}
        {value === null && refusal === undefined && (
          <Menu
            label={suggestions}
            entries={() =>
              Object.entries(of.quick()).map(([label, at]) => ({ label, onSelect: () => set(at) }))
            }
            trigger={(props) => <IconButton {...props} label={suggestions} icon={<CalendarClock />} />}
          />
        )}
        {note}
      </dd>
    </div>
  )
}

interface MomentFieldProps {
  of: Kind
  value: string | null
  isNew: boolean
  takesFocus: boolean
  onChange(value: string | null): void
  onEnd(): void
}

/** Enter or leaving the field saves, Esc cancels. */
function MomentField({ of, value, isNew, takesFocus, onChange, onEnd }: MomentFieldProps) {
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
    if (validity.badInput) showToast(of.incomplete)
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
      aria-label={of.name}
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

export const due: Kind = {
  name: t('Due date'),
  absent: t('No due date'),
  remove: t('Remove due date'),
  removed: t('Due date removed'),
  incomplete: t('Due date not changed. Enter a full date and time.'),
  suggestions: t('Suggested dates'),
  /** Due at the end of the day. */
  quick: () => ({
    [t('Today')]: inDays(0, 23, 59),
    [t('Tomorrow')]: inDays(1, 23, 59),
    [t('Next week')]: inDays(untilMonday(), 23, 59),
  }),
}

export const snooze: Kind = {
  name: t('Snooze'),
  absent: t('Not snoozed'),
  remove: t('Remove snooze'),
  removed: t('Snooze removed'),
  incomplete: t('Snooze not changed. Enter a full date and time.'),
  suggestions: t('Suggested snooze dates'),
  /** The card is back in the morning. */
  quick: () => ({ [t('Tomorrow')]: inDays(1, 8), [t('Next week')]: inDays(untilMonday(), 8) }),
}

const untilMonday = () => (8 - new Date().getDay()) % 7 || 7

/** The format of a datetime-local field: local time to the minute. */
function localTime(iso: string): string {
  if (iso === '') return ''
  const date = new Date(iso)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
