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
import type { Tense } from './reading-day.ts'
import type { TypedDate } from './typed-date.ts'

const Calendar = loadable(() => import('./calendar.tsx'))

export interface Suggestion {
  label: string
  /** Null removes the date. */
  typed: TypedDate | null
}

interface Props {
  /** Kept by the caller, whose other buttons return the focus to the field. */
  state: PopoverState
  label: string
  /** Undefined if it stands for several. */
  value: TypedDate | null | undefined
  /** Whether a date may have a time; a time such as `08:00` is given to dates that are typed without one. */
  time: 'optional' | 'never' | `${number}:${number}`
  /** What "fri" or "16 Nov" means; by default the next one. */
  tense?: Tense | undefined
  /** Made when the list opens. */
  suggestions(): Suggestion[]
  /** Why the field does not take a date, or undefined. */
  refusalOf?: ((typed: TypedDate) => string | undefined) | undefined
  /** Null removes the date. */
  onChange(typed: TypedDate | null): void
  trigger(props: PopoverState['triggerProps'] & { 'aria-haspopup': 'dialog'; onFocus(): void }): ReactNode
}

/** What was typed: null if the text was deleted, why it is not taken, or undefined if nothing was typed. */
type Pending = TypedDate | { refusal: string } | null | undefined

/** A button that opens a field for a date, with suggestions and a calendar. Leaving the field takes what was typed, Esc does not. */
export function DatePicker(props: Props) {
  const { state: popover, label, value, onChange, trigger } = props
  const pending = useRef<Pending>(undefined)
  const close = () => {
    const typed = pending.current
    pending.current = undefined
    popover.close()
    if (typed && 'refusal' in typed)
      showToast(t('{field} not changed. {hint}', { field: label, hint: typed.refusal }))
    else if (typed !== undefined && !isSame(typed, value)) onChange(typed)
  }
  const take = (typed: Pending) => {
    pending.current = typed
    close()
    popover.anchor.current?.focus()
  }
  return (
    <>
      {trigger({ ...popover.triggerProps, 'aria-haspopup': 'dialog', onFocus: Calendar.preload })}
      <Popover state={{ ...popover, close }} className="picker-popover date-popover" isWhole>
        <DateChoice {...props} pending={pending} take={take} close={close} />
      </Popover>
    </>
  )
}

const isSame = (typed: TypedDate | null, value: TypedDate | null | undefined): boolean =>
  typed && value ? typed.date === value.date && typed.time === value.time : typed === value

const hintOf = (tense: Tense | undefined) =>
  tense === 'past'
    ? t('Type a day such as “mon”, “3 days ago” or “16 Nov”.')
    : t('Type a day such as “fri”, “tomorrow 9”, “+3d” or “16 Nov”.')

interface ChoiceProps extends Props {
  pending: RefObject<Pending>
  take(typed: Pending): void
  close(): void
}

function DateChoice(props: ChoiceProps) {
  const { label, value, time, suggestions, pending, take, close } = props
  const id = useId()
  /** Undefined until something is typed: a value that comes in is shown until then. */
  const [text, setText] = useState<string>()
  const [active, setActive] = useState(-1)
  /** Why what was chosen is not taken. */
  const [refusal, setRefusal] = useState<string>()
  const read = text === undefined ? undefined : judged(text, props)
  const typed = read && 'refusal' in read ? undefined : read
  const isEmpty = text === undefined || text.trim() === ''
  const found = isEmpty ? suggestions() : typed ? [{ label: dates.short(typed), typed }] : []
  const options = refusal === undefined ? found : []
  const place = isEmpty ? active : 0
  const hint = refusal ?? (read && 'refusal' in read ? read.refusal : hintOf(props.tense))
  const refuse = (why: string) => {
    setRefusal(why)
    announce(why)
  }

  const change = (next: string) => {
    setText(next)
    setActive(-1)
    setRefusal(undefined)
    // Only a date that was in the field can be deleted there.
    pending.current = next.trim() !== '' ? judged(next, props) : value ? null : undefined
  }
  const enter = () => {
    const option = options[place]
    if (option) return take(option.typed)
    if (isEmpty) return take(pending.current)
    refuse(hint)
  }
  const chooseDay = (date: string) => {
    const hour = (typed ?? value)?.time
    const day = withTime(hour === undefined ? { date } : { date, time: hour }, time) as TypedDate
    const why = props.refusalOf?.(day)
    if (why === undefined) take(day)
    else refuse(why)
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
          aria-invalid={refusal !== undefined || undefined}
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
              {isEmpty && option.typed && (
                <span className="menu-hint numbers">{dates.short(option.typed)}</span>
              )}
            </div>
          ))}
        </div>
        {options.length === 0 && (
          <p id={`${id}-hint`} className={`picker-empty ${refusal === undefined ? '' : 'field-error'}`}>
            {hint}
          </p>
        )}
      </div>
      <fieldset aria-label={t('Calendar')} className="date-calendar">
        <Calendar chosen={(typed ?? value)?.date} onChoose={chooseDay} />
      </fieldset>
    </div>
  )
}

/** The date of a text, or why the field does not take it. */
function judged(text: string, { time, tense, refusalOf }: Props): TypedDate | { refusal: string } {
  const typed = withTime(dates.read(text, { tense }), time)
  if (typed === undefined) return { refusal: hintOf(tense) }
  const refusal = refusalOf?.(typed)
  return refusal === undefined ? typed : { refusal }
}

/** Undefined if the field does not take what was typed. */
function withTime(typed: TypedDate | undefined, time: Props['time']): TypedDate | undefined {
  if (typed === undefined || time === 'optional') return typed
  if (time === 'never') return typed.time === undefined ? typed : undefined
  return { time, ...typed }
}
