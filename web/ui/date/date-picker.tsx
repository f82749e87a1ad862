import { type KeyboardEvent, type ReactNode, type RefObject, useId, useRef, useState } from 'react'
import { t } from '../../words/words.ts'
import { announce } from '../announcer.tsx'
import { loadable } from '../loadable.tsx'
import '../menu.css'
import '../picker.css'
import { Popover, type PopoverState } from '../popover.tsx'
import { showToast } from '../toast.tsx'
import './date-picker.css'
import { dates } from './date-words.ts'
import type { TypedDate } from './typed-date.ts'

const Calendar = loadable(() => import('./calendar.tsx'))

export interface Suggestion {
  label: string
  typed: TypedDate
}

interface Props {
  /** Kept by the caller, whose other buttons return the focus to the field. */
  state: PopoverState
  label: string
  value: TypedDate | null
  /** Whether a date may have a time; a time such as `08:00` is given to dates that are typed without one. */
  time: 'optional' | 'never' | `${number}:${number}`
  /** Made when the list opens. */
  suggestions(): Suggestion[]
  /** Null removes the date. */
  onChange(typed: TypedDate | null): void
  trigger(props: PopoverState['triggerProps'] & { 'aria-haspopup': 'dialog'; onFocus(): void }): ReactNode
}

/** What was typed: `unclear`, or null if the text was deleted; undefined if nothing was typed. */
type Pending = TypedDate | 'unclear' | null | undefined

/** A button that opens a field for a date, with suggestions and a calendar. Leaving the field takes what was typed, Esc does not. */
export function DatePicker(props: Props) {
  const { state: popover, label, value, onChange, trigger } = props
  const pending = useRef<Pending>(undefined)
  const hint = hintOf(props.time)
  const close = () => {
    const typed = pending.current
    pending.current = undefined
    popover.close()
    if (typed === 'unclear') showToast(t('{field} not changed. {hint}', { field: label, hint }))
    else if (typed !== undefined && (typed?.date !== value?.date || typed?.time !== value?.time))
      onChange(typed)
  }
  const take = (typed: Pending) => {
    pending.current = typed
    close()
    popover.anchor.current?.focus()
  }
  return (
    <>
      {trigger({ ...popover.triggerProps, 'aria-haspopup': 'dialog', onFocus: Calendar.preload })}
      <Popover state={{ ...popover, close }} className="picker-popover date-popover">
        <DateChoice {...props} hint={hint} pending={pending} take={take} close={close} />
      </Popover>
    </>
  )
}

const hintOf = (time: Props['time']) =>
  time === 'never'
    ? t('Type a day such as “fri”, “+3d” or “16 Nov”.')
    : t('Type a day such as “fri”, “tomorrow 9”, “+3d” or “16 Nov”.')

interface ChoiceProps extends Props {
  hint: string
  pending: RefObject<Pending>
  take(typed: Pending): void
  close(): void
}

function DateChoice({ label, value, time, suggestions, hint, pending, take, close }: ChoiceProps) {
  const id = useId()
  /** Undefined until something is typed: a value that comes in is shown until then. */
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(-1)
  const [isRefused, setRefused] = useState(false)
  const typed = text === undefined ? undefined : withTime(dates.read(text), time)
  const isEmpty = text === undefined || text.trim() === ''
  const options = isEmpty ? suggestions() : typed ? [{ label: dates.short(typed), typed }] : []
  const place = isEmpty ? active : 0

  const change = (next: string) => {
    setText(next)
    setActive(-1)
    setRefused(false)
    pending.current = next.trim() === '' ? null : (withTime(dates.read(next), time) ?? 'unclear')
  }
  const enter = () => {
    const option = options[place]
    if (option) return take(option.typed)
    if (isEmpty) return take(pending.current)
    setRefused(true)
    announce(hint)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') pending.current = undefined
  }
  const onKeyDownInField = (event: KeyboardEvent) => {
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 }
    const move = moves[event.key]
    if (move !== undefined) setActive(Math.max(0, Math.min(active + move, options.length - 1)))
    if (event.key === 'Enter') enter()
    if (move !== undefined || event.key === 'Enter') event.preventDefault()
  }
  return (
    <div
      role="dialog"
      aria-label={label}
      className="picker"
      onKeyDown={onKeyDown}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) close()
      }}
    >
      <div className="picker-search">
        <input
          // On a touch screen the keyboard would cover the calendar.
          // biome-ignore lint/a11y/noAutofocus: the person has just asked to set it.
          autoFocus={!matchMedia('(pointer: coarse)').matches}
          type="text"
          role="combobox"
          autoComplete="off"
          aria-label={label}
          aria-expanded="true"
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={options[place] ? `${id}-${place}` : undefined}
          aria-describedby={options.length === 0 ? `${id}-hint` : undefined}
          aria-invalid={isRefused || undefined}
          placeholder={t('Type a date')}
          value={text ?? (value ? dates.short(value) : '')}
          onFocus={({ target }) => target.select()}
          onChange={({ target }) => change(target.value)}
          onKeyDown={onKeyDownInField}
        />
      </div>
      <p role="status" className="visually-hidden">
        {typed && dates.full(typed)}
      </p>
      <div className="date-options">
        <div id={`${id}-list`} role="listbox" aria-label={t('Suggested dates')} tabIndex={-1}>
          {options.map((option, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: focus stays in the field, which names the active choice.
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field hears the keys.
            <div
              key={option.label}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === place}
              className={`menu-item ${index === place ? 'picker-active' : ''}`}
              onClick={() => take(option.typed)}
            >
              <span className="menu-label truncate">{option.label}</span>
              {isEmpty && <span className="menu-hint numbers">{dates.short(option.typed)}</span>}
            </div>
          ))}
        </div>
        {options.length === 0 && (
          <p id={`${id}-hint`} className={`picker-empty ${isRefused ? 'field-error' : ''}`}>
            {hint}
          </p>
        )}
      </div>
      <fieldset aria-label={t('Calendar')} className="date-calendar">
        <Calendar
          chosen={(typed ?? value)?.date}
          onChoose={(date) => {
            const hour = (typed ?? value)?.time
            take(withTime(hour === undefined ? { date } : { date, time: hour }, time))
          }}
        />
      </fieldset>
    </div>
  )
}

/** Undefined if the field does not take what was typed. */
function withTime(typed: TypedDate | undefined, time: Props['time']): TypedDate | undefined {
  if (typed === undefined || time === 'optional') return typed
  if (time === 'never') return typed.time === undefined ? typed : undefined
  return { time, ...typed }
}
